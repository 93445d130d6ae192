//! Reads, puts, recovery and examination of a damaged thread, without the loss of any byte of it.

use milepost::json::{self, Json, Object};

use super::damage::{
    Corrupt, Files, Fine, LINES, Lost, each, has_index, id, of_thread, put, request, written,
};
use super::{ask, code, text, value};
use crate::operations::warnings;

fn listed(files: &Files, durability: &str) -> Object {
    let members = of_thread("t", &[("limit", 100.into())]);
    ask(&files.world, &request("list_thread", durability, &members))
}

fn ids(reply: &Object) -> Vec<String> {
    let found = value(reply).at("/checkpoints").unwrap().as_array().unwrap();
    found.iter().map(|it| text(it, "/id")).collect()
}

fn recover(files: &Files) -> Object {
    ask(
        &files.world,
        &request("recover_thread", "durable", &of_thread("t", &[])),
    )
}

/// The finding of an examination about threads.
fn examined(files: &Files) -> Json {
    let reply = ask(&files.world, &request("doctor", "durable", &[]));
    let found = value(&reply).as_array().unwrap();
    let is_it = |it: &&Json| text(it, "/check") == "threads";
    let found: Vec<&Json> = found.iter().filter(is_it).collect();
    match found[..] {
        [one] => one.clone(),
        _ => panic!("{found:?}"),
    }
}

#[test]
fn a_damaged_thread_is_read_as_such_and_never_as_an_older_one() {
    each(|_, files, verdict, context, (kept, _)| {
        for durability in ["durable", "lazy"] {
            let reply = listed(files, durability);
            match verdict {
                Fine => {
                    assert_eq!(ids(&reply).len(), LINES + 1, "{context}");
                    assert_eq!(warnings(&reply), [""; 0], "{context}");
                }
                Lost(lost) => {
                    assert_eq!(ids(&reply).len(), kept + 1, "{context}");
                    assert_eq!(warnings(&reply), ["lost_changes"], "{context}");
                    let message = reply.get("warnings").unwrap().at("/0").unwrap();
                    let message = text(message, "/message");
                    let is_counted = match lost {
                        0 => message.contains("no acknowledged change is known to be lost"),
                        lost => message.contains(&format!("has lost {lost} acknowledged change")),
                    };
                    assert!(is_counted, "{context}: {message}");
                }
                Corrupt => {
                    assert_eq!(code(&reply), "corrupt", "{context}");
                    let advice = reply.get("error").unwrap().at("/advice").unwrap();
                    assert_eq!(text(advice, "/kind"), "recover_thread", "{context}");
                    assert_eq!(text(advice, "/thread"), "t", "{context}");
                }
            }
        }
        assert!(files.copies().is_empty(), "{context}: it was only read");
    });
}

#[test]
fn a_damaged_thread_is_named_in_a_list_of_all() {
    each(|_, files, verdict, context, _| {
        let reply = ask(&files.world, &request("list_threads", "durable", &[]));
        let expected = match verdict {
            Fine => (vec![], 2),
            Lost(_) => (vec!["lost_changes"], 2),
            Corrupt => (vec!["corrupt"], 1),
        };
        let threads = value(&reply).at("/threads").unwrap().as_array().unwrap();
        let found = (warnings(&reply), threads.len());
        assert_eq!(found, expected, "{context}");
    });
}

#[test]
fn a_put_overwrites_no_damage_and_goes_on_from_a_loss_of_power() {
    each(|kind, files, verdict, context, (kept, _)| {
        // Of what is not there, nothing can be kept.
        let journal = match kind {
            "no journal" => Vec::new(),
            _ => files.bytes("00-"),
        };
        let reply = ask(&files.world, &put("t", "durable", LINES + 1));
        match verdict {
            Fine => {
                assert_eq!(warnings(&reply), [""; 0], "{context}");
                assert_eq!(ids(&listed(files, "durable")).len(), LINES + 2, "{context}");
            }
            Lost(_) => {
                assert_eq!(warnings(&reply), ["lost_changes"], "{context}");
                let after = listed(files, "durable");
                assert_eq!(warnings(&after), [""; 0], "{context}");
                assert_eq!(ids(&after).len(), kept + 2, "{context}");
                assert!(ids(&after).contains(&id(LINES + 1)), "{context}");
            }
            Corrupt => {
                assert_eq!(code(&reply), "corrupt", "{context}");
                assert_eq!(code(&listed(files, "durable")), "corrupt", "{context}");
                if kind != "no journal" {
                    assert_eq!(files.bytes("00-"), journal, "{context}");
                }
            }
        }
        let is_journal = has_index(kind) && !kind.starts_with("no ");
        if verdict != Fine && is_journal && !journal.is_empty() {
            assert!(files.copies().contains(&journal), "{context}");
        }
    });
}

#[test]
fn a_damaged_thread_is_recovered_as_far_as_it_can_be_read() {
    each(|kind, files, verdict, context, (kept, lost)| {
        let journal = match kind {
            "no journal" => Vec::new(),
            _ => files.bytes("00-"),
        };
        let reply = recover(files);
        if verdict == Fine {
            assert_eq!(code(&reply), "not_found", "{context}");
            return;
        }
        let recovered = value(&reply);
        let number = |at: &str| recovered.at(at).unwrap().as_u64().unwrap() as usize;
        // The document has a checkpoint of its own.
        let checkpoints = kept + usize::from(has_index(kind));
        assert_eq!(number("/checkpoints"), checkpoints, "{context}");
        assert_eq!(
            (number("/kept"), number("/lost")),
            (kept, lost),
            "{context}"
        );
        assert_eq!(number("/dropped"), 0, "{context}");
        let after = listed(files, "durable");
        assert_eq!(warnings(&after), [""; 0], "{context}");
        assert_eq!(ids(&after).len(), checkpoints, "{context}");
        if !journal.is_empty() {
            assert!(files.copies().contains(&journal), "{context}");
        }
        let copies = recovered.at("/quarantined").unwrap().as_array().unwrap();
        for copy in copies {
            let path = format!("/repo/{}", copy.as_str().unwrap());
            assert!(files.world.bytes(&path).is_some(), "{context}: {path}");
        }
        assert_eq!(copies.len(), files.copies().len(), "{context}");
        let put = ask(&files.world, &put("t", "durable", LINES + 1));
        let error = value(&put).at("/results/0/error");
        assert_eq!(error, Some(&Json::Null), "{context}");
        assert_eq!(ids(&listed(files, "durable")).len(), checkpoints + 1);
        assert_eq!(code(&recover(files)), "not_found", "{context}");
    });
}

#[test]
fn an_examination_names_a_damaged_thread_and_what_brings_it_back() {
    each(|kind, files, verdict, context, _| {
        let finding = examined(files);
        let level = match verdict {
            Fine => "ok",
            Lost(_) => "warning",
            Corrupt => "error",
        };
        assert_eq!(text(&finding, "/level"), level, "{context}: {finding:?}");
        if verdict == Fine {
            return;
        }
        // Without its document, the id of a thread is not known.
        let fixes = finding.as_object().unwrap().get("mend");
        match has_index(kind) {
            true => {
                let fixes = fixes.unwrap();
                assert_eq!(text(fixes, "/0/kind"), "recover_thread", "{context}");
                assert_eq!(text(fixes, "/0/thread"), "t", "{context}");
            }
            false => assert_eq!(fixes, None, "{context}"),
        }
        value(&recover(files));
        assert_eq!(text(&examined(files), "/level"), "ok", "{context}");
    });
}

/// The text that an older program wrote.
#[test]
fn a_journal_without_a_tally_is_readable_and_the_next_document_begins_one_with_it() {
    let files = written("durable");
    let path = files.path("index.json");
    let index = json::read(files.world.text(&path).as_bytes())
        .unwrap()
        .value;
    let mut index = index.as_object().unwrap().clone();
    index.remove("tally");
    // An edit by hand is taken for what it is.
    files.world.put(&path, Json::Object(index).to_document());
    files.delete("01-");
    assert_eq!(ids(&listed(&files, "durable")).len(), LINES + 1);
    files.cut(files.lines()[39]);
    assert_eq!(ids(&listed(&files, "durable")).len(), LINES);
    let reply = ask(&files.world, &put("t", "durable", LINES));
    assert_eq!(warnings(&reply), [""; 0]);
    let names = files.world.files_below(&files.folder);
    assert!(!names.iter().any(|it| it.starts_with("01-")), "{names:?}");
    for number in LINES + 1..LINES + 400 {
        value(&ask(&files.world, &put("t", "durable", number)));
    }
    let tally = files.bytes("01-");
    assert!(!tally.is_empty());
}

#[test]
fn a_put_has_nine_effects_with_one_wait_for_the_disk() {
    let files = written("durable");
    let (journal, tally) = (files.bytes("00-").len(), files.bytes("01-").len());
    files.world.log.borrow_mut().clear();
    value(&ask(&files.world, &put("t", "durable", LINES + 1)));
    let log = files.world.log.borrow();
    let names = log.iter().map(|it| it.split([' ', '{']).next().unwrap());
    let names: Vec<&str> = names.collect();
    let expected = [
        "Inspect", "List", "Read", "Read", "Read", "Append", "Inspect", "Append",
    ];
    let chance = names.iter().filter(|it| **it == "Random").count();
    let others: Vec<&str> = names.iter().copied().filter(|it| *it != "Random").collect();
    assert_eq!((others, chance), (expected.to_vec(), 1), "{names:?}");
    let waits = log.iter().filter(|it| it.contains("sync: Durable"));
    assert_eq!(waits.count(), 1, "{log:?}");
    assert_eq!(files.bytes("01-").len() - tally, 51);
    assert!(files.bytes("00-").len() > journal);
}
