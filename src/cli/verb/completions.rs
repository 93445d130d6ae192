//! `milepost completions`

use clap::Args;
use clap_complete::Shell;

use crate::cli::answer::Answer;
use crate::cli::call::{Call, HelpPage};
use crate::error::Error;

const HELP: &str = "\
To install it, for `milepost` and `npx milepost` alike:

  Bash:  echo 'source <(milepost completions bash)' >> ~/.bashrc
  Zsh:   echo 'source <(milepost completions zsh)' >> ~/.zshrc
  Fish:  milepost completions fish > ~/.config/fish/conf.d/milepost.fish

In .zshrc the line belongs below the one with compinit. A shell starts faster with the script in a
file: write it once and source that.";

/// Completes `npx milepost …`, where no command of this name is on the path: the words behind `npx`
/// are those of the command. Whoever completes `npx` already is left alone.
const BY_NPX: [(Shell, &str); 3] = [
    (
        Shell::Bash,
        r#"
_milepost_by_npx() {
    COMPREPLY=()
    if [[ "${COMP_WORDS[1]}" == milepost && COMP_CWORD -gt 1 ]]; then
        local words=("${COMP_WORDS[@]:1}") at=$((COMP_CWORD - 1))
        local COMP_WORDS=("${words[@]}") COMP_CWORD=$at
        _milepost milepost "$2" "$3"
    fi
}
complete -p npx >/dev/null 2>&1 || complete -F _milepost_by_npx -o bashdefault -o default npx
"#,
    ),
    (
        Shell::Zsh,
        r#"
_milepost_by_npx() {
    if (( CURRENT > 2 )) && [[ $words[2] == milepost ]]; then
        shift words
        (( CURRENT-- ))
        _milepost
    else
        _default
    fi
}
(( ${+_comps[npx]} )) || compdef _milepost_by_npx npx
"#,
    ),
    (
        Shell::Fish,
        r#"
function __milepost_by_npx
    set -l words (commandline -opc)
    test (count $words) -ge 2; and test "$words[2]" = milepost
end
function __milepost_of_npx
    set -l words (string escape -- (commandline -opc)[2..-1])
    set -l last (commandline -ct)
    complete -C "$words $last"
end
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
}

pub(super) async fn run(call: &Call, arguments: Arguments) -> Result<Answer, Error> {
    let mut script = Vec::new();
    let mut definition = call.definition(HelpPage::Everyday);
    clap_complete::generate(arguments.shell, &mut definition, "milepost", &mut script);
    let mut script = String::from_utf8_lossy(&script).into_owned();
    let shell = arguments.shell;
    let by_npx = BY_NPX.iter().filter(|(of, _)| *of == shell);
    script.extend(by_npx.map(|(_, lines)| *lines));
    Ok(Answer::verbatim(script))
}
