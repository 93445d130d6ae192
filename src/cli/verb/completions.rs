//! `milepost completions`

use clap::Args;
use clap_complete::Shell;

use crate::cli::answer::CliAnswer;
use crate::cli::call::{CliCall, HelpPage};
use crate::cli::candidates::candidates;
use crate::error::Error;

const HELP: &str = "\
It completes verbs and options, and from the store commands, features, phases and ids of snapshots. To
install it, for `milepost` and `npx milepost` alike:

  Bash:  echo 'source <(milepost completions bash)' >> ~/.bashrc
  Zsh:   echo 'source <(milepost completions zsh)' >> ~/.zshrc
  Fish:  milepost completions fish > ~/.config/fish/conf.d/milepost.fish

In .zshrc the line belongs below the one with compinit. A shell starts faster with the script in a
file: write it once and source that.";

/// The lines behind a script of the parser: candidates of the store, by this program, and the same words behind `npx`
/// where no command of this name is on the path. A completion of `npx` that is there is left alone. The program is the
/// one on the path, else that of the project: `npx` itself would ask the network at each key.
const MORE: [(Shell, &str); 3] = [
    (
        Shell::Bash,
        r#"
_milepost_stored() {
    local folder=$PWD program=milepost word
    if ! type milepost >/dev/null 2>&1; then
        until [[ -z $folder || -x $folder/node_modules/.bin/milepost ]]; do folder=${folder%/*}; done
        program=$folder/node_modules/.bin/milepost
    fi
    while IFS= read -r word; do
        COMPREPLY+=("$(printf %q "$word")")
    done < <("$program" completions bash -- "$@" 2>/dev/null </dev/null)
}
_milepost_line() {
    _milepost "$@"
    _milepost_stored "${COMP_WORDS[@]:1:COMP_CWORD}"
}
_milepost_by_npx() {
    COMPREPLY=()
    if [[ "${COMP_WORDS[1]}" == milepost && COMP_CWORD -gt 1 ]]; then
        local words=("${COMP_WORDS[@]:1}") at=$((COMP_CWORD - 1))
        local COMP_WORDS=("${words[@]}") COMP_CWORD=$at
        _milepost_line milepost "$2" "$3"
    fi
}
complete -F _milepost_line -o bashdefault -o default milepost
complete -p npx >/dev/null 2>&1 || complete -F _milepost_by_npx -o bashdefault -o default npx
"#,
    ),
    (
        Shell::Zsh,
        r#"
_milepost_stored() {
    local folder=$PWD program=milepost
    local -a found
    if (( ! ${+commands[milepost]} )); then
        until [[ -z $folder || -x $folder/node_modules/.bin/milepost ]]; do folder=${folder%/*}; done
        program=$folder/node_modules/.bin/milepost
    fi
    found=(${(f)"$($program completions zsh -- "${(@)words[2,CURRENT]}" 2>/dev/null </dev/null)"})
    (( $#found )) && compadd -- $found
}
_milepost_line() {
    _milepost_stored
    _milepost
}
_milepost_by_npx() {
    if (( CURRENT > 2 )) && [[ $words[2] == milepost ]]; then
        shift words
        (( CURRENT-- ))
        _milepost_line
    else
        _default
    fi
}
compdef _milepost_line milepost
(( ${+_comps[npx]} )) || compdef _milepost_by_npx npx
"#,
    ),
    (
        Shell::Fish,
        r#"
function __milepost_stored
    set -l program milepost
    set -l folder $PWD
    if not type -q milepost
        while test -n "$folder"; and not test -x "$folder/node_modules/.bin/milepost"
            set folder (string replace -r '/[^/]*$' '' -- $folder)
        end
        set program "$folder/node_modules/.bin/milepost"
    end
    set -l words (commandline -opc)
    set -e words[1]
    set -l last (commandline -ct)
    $program completions fish -- $words "$last" 2>/dev/null </dev/null
end
function __milepost_by_npx
    set -l words (commandline -opc)
    test (count $words) -ge 2; and test "$words[2]" = milepost
end
function __milepost_of_npx
    set -l words (string escape -- (commandline -opc)[2..-1])
    set -l last (commandline -ct)
    complete -C "$words $last"
end
complete -c milepost -a '(__milepost_stored)'
complete -c npx -n __milepost_by_npx -f -a '(__milepost_of_npx)'
"#,
    ),
];

/// Print a completion script for a shell
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub(in crate::cli) struct Arguments {
    /// The shell
    shell: Shell,
    /// The words of a line: the candidates of the store for the last one are printed
    #[arg(last = true, hide = true, value_name = "WORD")]
    words: Vec<String>,
}

pub(super) async fn run(call: &CliCall, arguments: Arguments) -> Result<CliAnswer, Error> {
    let mut definition = call.definition(HelpPage::Everyday);
    if !arguments.words.is_empty() {
        let found = candidates(call.io(), &call.settings, &definition, &arguments.words).await;
        let lines: String = found.iter().map(|word| format!("{word}\n")).collect();
        return Ok(CliAnswer::data(lines, found));
    }
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut definition, "milepost", &mut script);
    let mut script = String::from_utf8_lossy(&script).into_owned();
    let shell = arguments.shell;
    let more = MORE.iter().filter(|(of, _)| *of == shell);
    script.extend(more.map(|(_, lines)| *lines));
    Ok(CliAnswer::verbatim(script))
}
