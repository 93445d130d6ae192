//! `milepost man [VERB]`: the manual as `man` reads it, of the program or of one verb. `cargo install` puts no page where
//! `man` looks, so that the program prints its own.

use clap_mangen::Man;

use crate::blocking::cli;

/// The page that these words ask for; `None` where they are for the command line, which also refuses wrong ones.
pub(super) fn page(words: &[String]) -> Option<String> {
    let verb = match words {
        [man] if man == "man" => None,
        [man, verb] if man == "man" => Some(verb),
        _ => return None,
    };
    let mut command = cli::definition();
    // A verb has its own definition from here on.
    command.build();
    let command = match verb {
        None => command,
        Some(name) => command.find_subcommand(name)?.clone(),
    };
    let mut page = Vec::new();
    Man::new(command).render(&mut page).ok()?;
    String::from_utf8(page).ok()
}

#[cfg(test)]
mod tests {
    use super::page;

    fn printed(line: &str) -> Option<String> {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        page(&words)
    }

    #[test]
    fn the_manual_has_every_verb_and_the_page_of_a_verb_its_options() {
        let manual = printed("man").unwrap();
        assert!(manual.contains(".TH milepost 1"), "{manual}");
        for verb in ["phase", "resume", "hooks", "snapshot"] {
            assert!(manual.contains(&format!("milepost\\-{verb}(1)")), "{verb}");
        }
        let phase = printed("man phase").unwrap();
        assert!(phase.contains(".SH OPTIONS"), "{phase}");
        assert!(phase.contains("\\-\\-summary"), "{phase}");
    }

    #[test]
    fn other_words_are_for_the_command_line() {
        for line in ["man no-verb", "man phase more", "status"] {
            assert_eq!(printed(line), None, "{line}");
        }
    }
}
