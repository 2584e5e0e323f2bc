//! The first word decides: when it names a command, that command is meant, flags before it or not.
//!
//! Works on the arguments as typed and on the table that clap built, so no flag is listed twice. It
//! must not judge arguments; clap does that.

use std::ffi::OsString;

use clap::{Arg, Command};

/// The arguments with a command that is the first word moved to the front, and its own command after it.
pub(crate) fn subcommand_first(mut args: Vec<OsString>, command: &Command) -> Vec<OsString> {
    let (mut level, mut front) = (command, 1);
    while let Some(idx) = first_word(&args, front, [command, level])
        && let Some(found) = level.find_subcommand(&args[idx])
    {
        let word = args.remove(idx);
        args.insert(front, word);
        (level, front) = (found, front + 1);
    }
    args
}

/// Whether the arguments ask for JSON, for errors that come before parsing is done.
pub(crate) fn wants_json(args: &[OsString]) -> bool {
    args.iter().skip(1).take_while(|arg| *arg != "--").any(|arg| arg == "--json")
}

/// Position of the first argument from `front` on that is neither a flag nor a flag's value; none before `--`.
fn first_word(args: &[OsString], front: usize, commands: [&Command; 2]) -> Option<usize> {
    let mut idx = front;
    while idx < args.len() {
        let arg = args[idx].to_string_lossy();
        if arg == "--" {
            return None;
        }
        if !arg.starts_with('-') || arg == "-" {
            return Some(idx);
        }
        let takes_next = commands.iter().any(|command| takes_next(&arg, command));
        idx += if takes_next { 2 } else { 1 };
    }
    None
}

/// Whether the flag takes the next argument as its value.
fn takes_next(flag: &str, command: &Command) -> bool {
    let takes = |arg: &Arg| {
        arg.get_num_args().is_none_or(|range| range.takes_values())
            && arg.get_action().takes_values()
    };
    if let Some(long) = flag.strip_prefix("--") {
        return !long.contains('=')
            && command.get_arguments().any(|arg| arg.get_long() == Some(long) && takes(arg));
    }
    let cluster: Vec<char> = flag.chars().skip(1).collect();
    let valued = cluster.iter().position(|short| {
        command.get_arguments().any(|arg| arg.get_short() == Some(*short) && takes(arg))
    });
    // `-k5` carries its value; `-k 5` and `-qk 5` do not.
    valued.is_some_and(|position| position + 1 == cluster.len())
}
