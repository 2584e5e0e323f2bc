//! Help, completions and the manual page.

use super::tree::Tree;

#[test]
fn help_has_examples_and_exit_codes() {
    let tree = Tree::new(&[]);
    for flag in ["--help", "-h"] {
        tree.run(&[flag]).status(0).says("Examples:").says("--no-refresh").says("130 interrupted");
    }
    for command in [
        "search",
        "symbols",
        "usages",
        "outline",
        "index",
        "status",
        "model",
        "agent",
        "eval",
        "config",
        "completions",
    ] {
        tree.run(&[command, "--help"]).status(0).says("Examples:");
    }
    for command in ["install", "uninstall", "status"] {
        tree.run(&["agent", command, "--help"]).status(0).says("Examples:");
    }
    for command in ["pull", "add", "bench"] {
        tree.run(&["model", command, "--help"]).status(0).says("Examples:");
    }
    tree.run(&["-h"]).says("--model ").says("semantic");
    tree.run(&["-h"]).says("--symbol-kind").says("usages");
    tree.run(&["usages", "-h"]).says("--comments").says("--all");
    tree.run(&["--help"]).says("Fusion (hybrid mode)").says("--rrf-k");
}

#[test]
fn version_is_printed() {
    Tree::new(&[]).run(&["--version"]).status(0).says("wherein ");
}

#[test]
fn completions_for_each_shell() {
    let tree = Tree::new(&[]);
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        tree.run(&["completions", shell]).status(0).says("no-refresh").says("verify");
        let script = tree.run(&["completions", shell]);
        script.says("outline").says("symbol-kind").says("dry-run");
    }
    for shell in ["bash", "zsh"] {
        tree.run(&["completions", shell]).says("claude-desktop");
    }
    tree.run(&["completions", "tcsh"]).status(2);
}

#[test]
fn the_manual_page_is_roff() {
    Tree::new(&[])
        .run(&["man"])
        .status(0)
        .says(".TH wherein")
        .says("redirect loop")
        .says("sample")
        .says("interface");
}
