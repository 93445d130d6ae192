//! Random puts, forks, writes and retries, against checkpoints that are kept whole.

use super::change::{Coverage, Fork, Put};
use super::log::Log;
use super::sample::{World, typed};
use super::tuple::{Query, Tuple, history, list, load};
use super::value::Typed;
use super::writes::{ChannelWrite, arrange};
use crate::error::Code;

/// The state that is kept without any of the rules.
#[derive(Default)]
pub(super) struct Oracle {
    /// With its order.
    pub(super) checkpoints: Vec<(String, Tuple)>,
    writes: Vec<((String, String), ChannelWrite)>,
}

impl Oracle {
    fn find(&self, namespace: &str, id: &str) -> Option<&(String, Tuple)> {
        let mut all = self.checkpoints.iter();
        all.find(|(_, it)| it.id == id && it.namespace == namespace)
    }

    fn tuple(&self, of: &Tuple) -> Tuple {
        let key = (of.namespace.clone(), of.id.clone());
        let of_it = self.writes.iter().filter(|(it, _)| *it == key);
        let mut writes: Vec<ChannelWrite> = of_it.map(|(_, write)| write.clone()).collect();
        arrange(&mut writes);
        let mut values = of.values.clone();
        values.sort_by(|a, b| a.0.cmp(&b.0));
        Tuple {
            values,
            writes,
            ..of.clone()
        }
    }

    /// The newest first.
    pub(super) fn of(&self, namespace: Option<&str>) -> Vec<(String, Tuple)> {
        let mut all: Vec<_> = self.checkpoints.iter().enumerate().collect();
        all.retain(|(_, (_, it))| namespace.is_none_or(|name| it.namespace == name));
        all.sort_by(|(a, (x, _)), (b, (y, _))| (y, b).cmp(&(x, a)));
        let tuples = all
            .into_iter()
            .map(|(_, (order, it))| (order.clone(), self.tuple(it)));
        tuples.collect()
    }

    fn add(&mut self, key: (&str, &str), writes: &[ChannelWrite]) {
        for write in writes {
            let key = (key.0.to_owned(), key.1.to_owned());
            let mut all = self.writes.iter_mut();
            let is_it = |(of, it): &&mut ((String, String), ChannelWrite)| {
                *of == key && it.task == write.task && it.at == write.at
            };
            match all.find(is_it) {
                None => self.writes.push((key, write.clone())),
                Some((_, present)) if write.at < 0 => *present = write.clone(),
                Some(_) => {}
            }
        }
    }
}

pub(super) fn sorted(mut tuple: Tuple) -> Tuple {
    tuple.values.sort_by(|a, b| a.0.cmp(&b.0));
    tuple
}

fn word(random: &mut fastrand::Rng) -> String {
    let letters = ["a", "é", "世", "\\n", "😀", "z", " "];
    (0..random.usize(1..60))
        .map(|_| letters[random.usize(..letters.len())])
        .collect()
}

/// A value that follows from another one as values do.
fn grown(before: Option<&Typed>, random: &mut fastrand::Rng) -> Typed {
    let text = before.map_or("[]", |it| it.text.as_str());
    let at = |random: &mut fastrand::Rng| {
        let mut at = random.usize(0..=text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let text = match random.u8(..10) {
        0 => word(random).repeat(random.usize(1..80)),
        1 => {
            let at = at(random);
            format!("{}{}{}", &text[..at], word(random), &text[at..])
        }
        2 => text[..at(random)].to_owned(),
        3 => {
            return Typed {
                kind: "bytes".to_owned(),
                encoding: Some("base64".to_owned()),
                text: format!(
                    "{}QUJD",
                    text.replace(|it: char| !it.is_ascii_alphanumeric(), "A")
                )
                .into(),
            };
        }
        _ => format!(
            "{},{{\"{}\":1}}]",
            text.strip_suffix(']').unwrap_or(text),
            word(random)
        ),
    };
    typed(&text)
}

fn checkpoint(oracle: &Oracle, random: &mut fastrand::Rng, clock: &mut u64) -> Put {
    let namespace = ["", "", "sub:1", "sub:2"][random.usize(..4)].to_owned();
    let all = oracle.of(Some(&namespace));
    let is_old = random.u8(..8) == 0;
    let parent = match (all.len(), is_old) {
        (0, _) => None,
        (count, true) => Some(&all[random.usize(..count)].1),
        _ => Some(&all[0].1),
    };
    *clock += 1;
    // Now and then of a maker whose clock is behind.
    let time = if random.u8(..6) == 0 {
        clock.saturating_sub(40)
    } else {
        *clock
    };
    let mut channels: Vec<String> = ["messages", "count", "__proto__"].map(str::to_owned).into();
    let changed: Vec<String> = channels.iter().filter(|_| random.bool()).cloned().collect();
    if random.u8(..5) == 0 {
        channels.pop();
    }
    let mut values = Vec::new();
    for channel in &changed {
        let before = parent.and_then(|it| it.values.iter().find(|(name, _)| name == channel));
        if random.u8(..6) > 0 {
            values.push((channel.clone(), grown(before.map(|(_, it)| it), random)));
        }
    }
    Put {
        id: format!("{time:06}-{:04}", random.u32(..10_000)),
        parent: parent.map(|it| it.id.clone()),
        fork: if is_old { Fork::Allow } else { Fork::Refuse },
        body: typed(&format!("{{\"ts\":{clock}}}")),
        metadata: typed(&format!("{{\"step\":{clock}}}")),
        namespace,
        channels,
        changed,
        values,
        coverage: Coverage::Changed,
        run: Some(format!("run-{}", random.u8(..4))),
        outer: Vec::new(),
    }
}

/// Returns the effect of a put on its parent's values, without any of the rules.
fn expected(oracle: &Oracle, request: &Put) -> (String, Tuple) {
    let parent = request
        .parent
        .as_ref()
        .and_then(|id| oracle.find(&request.namespace, id));
    let before = parent.map_or(&[][..], |(_, it)| &it.values);
    let carried = before
        .iter()
        .filter(|(name, _)| request.channels.contains(name) && !request.changed.contains(name));
    let values = carried.chain(&request.values).cloned().collect();
    let order = match parent {
        Some((order, _)) if *order >= request.id => format!("{order}!"),
        _ => request.id.clone(),
    };
    let tuple = Tuple {
        namespace: request.namespace.clone(),
        id: request.id.clone(),
        parent: request.parent.clone(),
        body: request.body.clone(),
        metadata: request.metadata.clone(),
        values,
        writes: Vec::new(),
    };
    (order, tuple)
}

fn some_writes(random: &mut fastrand::Rng) -> Vec<ChannelWrite> {
    let channels = ["messages", "__error__", "count", "__interrupt__"];
    let writes = (0..random.usize(1..4)).map(|_| {
        let value = typed(&word(random).repeat(random.usize(1..40)));
        (channels[random.usize(..4)].to_owned(), value)
    });
    let writes = writes.collect();
    let task = format!("task-{}", random.u8(..3));
    ChannelWrite::all(&task, ["", "~1", "~2"][random.usize(..3)], writes)
}

/// Every answer is that of checkpoints that are kept whole.
pub(super) fn compare(world: &mut World, oracle: &Oracle, random: &mut fastrand::Rng) {
    for namespace in ["", "sub:1", "sub:2", "none"] {
        let all = oracle.of(Some(namespace));
        let found = world.needed(|thread, loaded| load(Log::new(thread, loaded), namespace, None));
        assert_eq!(
            found.unwrap().map(sorted),
            all.first().map(|(_, it)| it.clone())
        );
        for (_, tuple) in all.iter().filter(|_| random.u8(..10) == 0) {
            let found = world.needed(|thread, loaded| {
                load(Log::new(thread, loaded), namespace, Some(&tuple.id))
            });
            assert_eq!(found.unwrap().map(sorted).as_ref(), Some(tuple));
        }
        for limit in [1, 7, 1_000] {
            let before = all
                .get(random.usize(..=all.len()))
                .map(|(order, it)| (order, it.id.clone()));
            let rest = all
                .iter()
                .filter(|(order, _)| before.as_ref().is_none_or(|(it, _)| order < *it));
            let rest: Vec<_> = rest.map(|(_, it)| it.clone()).collect();
            let mut query = Query {
                namespace: Some(namespace.to_owned()),
                before: before.map(|(_, id)| id),
                limit,
                ..Query::default()
            };
            let mut listed = Vec::new();
            loop {
                let page = world.needed(|thread, loaded| list(Log::new(thread, loaded), &query));
                let (tuples, next) = page.unwrap();
                listed.extend(tuples.into_iter().map(sorted));
                query.after = next;
                if query.after.is_none() || limit == 1 {
                    break;
                }
            }
            let expected = if limit == 1 {
                rest.into_iter().take(1).collect()
            } else {
                rest
            };
            assert_eq!(listed, expected);
        }
    }
    let query = Query {
        limit: 10_000,
        ..Query::default()
    };
    let (all, _) = world
        .needed(|thread, loaded| list(Log::new(thread, loaded), &query))
        .unwrap();
    let expected = oracle.of(None).into_iter().map(|(_, it)| it);
    assert_eq!(
        all.into_iter().map(sorted).collect::<Vec<_>>(),
        expected.collect::<Vec<_>>()
    );
}

/// Compares how a channel came to its value, by the checkpoints alone.
fn compare_history(world: &mut World, oracle: &Oracle, of: &Tuple) {
    let channels = ["messages".to_owned()];
    let found = world.needed(|thread, loaded| {
        history(
            Log::new(thread, loaded),
            (&of.namespace, Some(&of.id)),
            &channels,
        )
    });
    let found = found.unwrap().remove(0);
    let (mut seed, mut writes) = (None, Vec::new());
    let mut parent = of.parent.clone();
    while let Some(id) = parent.filter(|_| seed.is_none()) {
        let (_, it) = oracle.find(&of.namespace, &id).unwrap();
        let it = oracle.tuple(it);
        writes.extend(
            it.writes
                .into_iter()
                .rev()
                .filter(|it| it.channel == "messages"),
        );
        seed = it
            .values
            .into_iter()
            .find(|(name, _)| name == "messages")
            .map(|(_, it)| it);
        parent = it.parent;
    }
    writes.reverse();
    let found_writes: Vec<ChannelWrite> = found.writes.into_iter().map(|(_, it)| it).collect();
    assert_eq!(
        (found.seed.map(|it| it.value), found_writes),
        (seed, writes)
    );
}

pub(super) fn step(
    world: &mut World,
    oracle: &mut Oracle,
    random: &mut fastrand::Rng,
    clock: &mut u64,
) {
    let request = checkpoint(oracle, random, clock);
    if random.u8(..4) == 0 {
        let early = some_writes(random);
        let key = (request.namespace.as_str(), request.id.as_str());
        world.add(key, &early);
        oracle.add(key, &early);
    }
    let is_fork = request.parent.is_some()
        && oracle
            .checkpoints
            .iter()
            .any(|(_, it)| it.parent == request.parent && it.namespace == request.namespace);
    if is_fork {
        let refused = Put {
            fork: Fork::Refuse,
            ..request.clone()
        };
        assert_eq!(world.put(&refused), Err(Code::Conflict), "{refused:?}");
    }
    let request = Put {
        fork: if is_fork { Fork::Allow } else { request.fork },
        ..request
    };
    let expected = expected(oracle, &request);
    assert_eq!(world.put(&request), Ok(true));
    oracle.checkpoints.push(expected);
    if random.u8(..4) == 0 {
        assert_eq!(world.put(&request), Ok(false), "a retry");
        let other = Put {
            metadata: typed("{}"),
            ..request.clone()
        };
        assert_eq!(world.put(&other), Err(Code::Conflict));
    }
    for _ in 0..random.usize(..3) {
        let writes = some_writes(random);
        let count = oracle.checkpoints.len();
        let at = if random.u8(..5) == 0 {
            random.usize(..count)
        } else {
            count - 1
        };
        let of = &oracle.checkpoints[at].1;
        let key = (of.namespace.clone(), of.id.clone());
        let key = (key.0.as_str(), key.1.as_str());
        world.add(key, &writes);
        oracle.add(key, &writes);
    }
}

#[test]
fn a_thread_has_what_was_put_into_it() {
    for seed in 0..milepost_property::rounds(5, 12) {
        let _run = milepost_property::seed("a thread has what was put into it", seed);
        let mut random = fastrand::Rng::with_seed(seed);
        let (mut world, mut oracle, mut clock) = (World::default(), Oracle::default(), 100);
        for round in 0..150 {
            step(&mut world, &mut oracle, &mut random, &mut clock);
            if round % 30 == 29 {
                compare(&mut world, &oracle, &mut random);
                let at = random.usize(..oracle.checkpoints.len());
                let of = oracle.checkpoints[at].1.clone();
                compare_history(&mut world, &oracle, &of);
            }
        }
        assert!(!world.parts.is_empty(), "nothing was sealed: seed {seed}");
    }
}
