//! The examples that `--help` ends with. Text only.

/// After the help of the main job.
pub(crate) const MAIN: &str = "\
Examples:
  wherein \"where do we stop following a redirect loop\"
  wherein \"retry with backoff\" src/ -k 5        five places below src/
  wherein shouldStripAuth --kind source          an identifier, tests and docs left out
  wherein -F 'TODO(alice)' '*.py'                every line with this text, as grep -rnF
  wherein -E 'fn \\w+_auth' src                   every line that matches, as grep -rnE
  wherein \"retry\" --symbol-kind method,class     places that hold a symbol of such a kind
  wherein symbols parse_config                   where a name is defined
  wherein usages parse_config                    where it is called and mentioned
  wherein outline src/config.rs                  what a file defines
  wherein \"retry\" --repo 'team-*'                repositories of your settings, wherever they are
  wherein why src/a.rs:40 \"parse the config\"     why that place is not higher
  wherein \"parse the config\" --json | jq .       for programs
  wherein -- --verbose                           a question that begins with a dash
  wherein search status                          a question that is also a command's name

Exit status: 0 found, 1 nothing found, 2 error, 130 interrupted.";

/// After `search --help`.
pub(crate) const SEARCH: &str = "\
Examples:
  wherein search status
  wherein search \"config\" src/ -k 3";

/// After `symbols --help`.
pub(crate) const SYMBOLS: &str = "\
Examples:
  wherein symbols should_strip_auth        by its name, in whatever case it is written
  wherein symbols WebAuth                  GetWebAuthnSession, web_auth_token …
  wherein symbols Session.send src/        the one below Session
  wherein symbols Session --repo '*'       in every repository of your settings
  wherein symbols parse --symbol-kind function,method --lang rust
  wherein symbols parse --json | jq '.symbols[].symbol.signature'

Best match first: the same name, names that begin so, names with such a part; at last one typing error.";

/// After `usages --help`.
pub(crate) const USAGES: &str = "\
Examples:
  wherein usages should_strip_auth              calls, then mentions
  wherein usages should_strip_auth --comments   and what comments and strings say of it
  wherein usages send src/ --not-path '*_test.go' --all
  wherein usages send -l                        only the files
  vim -q <(wherein usages send --vimgrep)

Lines that define the name are left out; wherein symbols NAME finds those.";

/// After `outline --help`.
pub(crate) const OUTLINE: &str = "\
Examples:
  wherein outline src/sessions.py               the symbols of a file with their lines
  wherein outline src --symbol-kind class,interface
  wherein outline '*.go' --json | jq '.files[].symbols[].name'";

/// After `why --help`.
pub(crate) const WHY: &str = "\
Examples:
  wherein why src/auth.rs:120 \"where do we drop credentials on redirects\"
  wherein why src/auth.rs:110-140 \"strip auth\"      a place as results show it
  wherein why src/auth.rs \"strip auth\"              the best place of a file
  wherein why tests/auth.py:9 \"strip auth\" --kind source --json

Says its rank, its reasons, and where it loses most against the first hit; or why it is no candidate.
Exit status: 0 it is among the candidates, 1 it is not, 2 error.";

/// After `index --help`.
pub(crate) const INDEX: &str = "\
Examples:
  wherein index              bring the index of this folder up to date
  wherein index ~/src/proj   of another folder
  wherein index ~/src/a ~/src/b https://example.org/team/c.git
                             of several; an address is cloned into the cache
  wherein index --all        every repository of your settings, fetching what is cloned
  wherein index --rebuild    throw it away and build it again
  wherein index --model all-minilm-l6-v2
                             from now on that model compares the first places of each question here,
                             and embeds only those
  wherein index --model all-minilm-l6-v2 --embed all
                             with vectors of that model for everything, in place of any other's";

/// After `status --help`.
pub(crate) const STATUS: &str = "\
Examples:
  wherein status                    counts, and what is not searched by reason
  wherein status --why dist/app.js  the rule that hides (or keeps) a path
  wherein status --repo '*'         of every repository of your settings
  wherein status --json             for programs";

/// After `model --help`.
pub(crate) const MODEL: &str = "\
Examples:
  wherein model list                    what is known by name, and what is here
  wherein model pull all-minilm-l6-v2   fetch one
  wherein model add ./my-model          take in a folder with model.onnx and tokenizer.json
  wherein model bench                   what it costs on the code of this folder
  wherein index --model all-minilm-l6-v2
                                        use it here from now on, embedding what questions touch";

/// After `model pull --help`.
pub(crate) const MODEL_PULL: &str = "\
Examples:
  wherein model pull bge-small-en-v1.5
  wherein model pull bge-m3 --max-tokens 1024

A pull that was stopped goes on where it ended. Without a way to the network, copy the model's folder
here and use wherein model add, or name a mirror: HF_ENDPOINT=https://mirror.example.";

/// After `model add --help`.
pub(crate) const MODEL_ADD: &str = "\
Examples:
  wherein model add ./bge-small-en-v1.5
  wherein model add ./export --name CodeRankEmbed --onnx onnx/model_quantized.onnx
  wherein model add ./export --pooling mean --max-tokens 512 --question-prefix 'query: '";

/// After `model bench --help`.
pub(crate) const MODEL_BENCH: &str = "\
Examples:
  wherein model bench all-minilm-l6-v2 ~/src/proj
  wherein model bench bge-m3 --sample 50
  wherein model bench ./export . --json      a folder that was not added";

/// After `agent --help`.
pub(crate) const AGENT: &str = "\
Examples:
  wherein agent status                   which clients are here, and which have the server
  wherein agent install claude-code      register with one
  wherein agent install all --rules      with all that are here, and tell them when to ask
  wherein agent uninstall all

Settings files keep their comments and layout; the first original stays beside each (NAME.wherein-backup).";

/// After `agent install --help`.
pub(crate) const AGENT_INSTALL: &str = "\
Examples:
  wherein agent install                          which clients are here
  wherein agent install cursor vscode --dry-run  what would change
  wherein agent install codex --rules            also the text that says when to ask
  wherein agent install claude-code --scope project --command wherein
                                                 for everyone who works in this repository
  wherein agent install claude-desktop --mcp-root ~/src/proj
  wherein agent install --print                  what to paste into a client that is not listed

Exit status: 0 done or nothing to do, 2 error.";

/// After `agent uninstall --help`.
pub(crate) const AGENT_UNINSTALL: &str = "\
Examples:
  wherein agent uninstall cursor
  wherein agent uninstall all --dry-run
  wherein agent uninstall claude-code --scope project

Removes the entry and the rules that install wrote, and nothing else.";

/// After `agent status --help`.
pub(crate) const AGENT_STATUS: &str = "\
Examples:
  wherein agent status
  wherein agent status claude-code && echo ready
  wherein agent status --scope project --json | jq '.clients[] | select(.detected)'

Exit status: 0, or 1 when a client that is named does not have the server, 2 error.";

/// After `eval --help`.
pub(crate) const EVAL: &str = "\
Examples:
  wherein eval init                                    write questions about this repository first
  wherein eval wherein-questions.json --compare        words against grep, here
  wherein eval wherein-questions.json --compare --model bge-small-en-v1.5 --path src/
  wherein eval suite.json --compare --markdown --plot figures.svg
  wherein eval suite.json --checkouts ~/checkouts      nDCG@10, MRR, span@k, file@k of one mode
  wherein eval suite.json --checkouts ~/checkouts --path 'src/**' --json
  wherein eval suite.json --checkouts ~/checkouts --results out.jsonl

With --compare a rank is that of the first result, among all chunks, that holds the first line of an answer.";

/// After `eval init --help`.
pub(crate) const EVAL_INIT: &str = "\
Examples:
  wherein eval init
  wherein eval init ~/questions/shop.json --repo-name shop

Write the questions and their answers before you look at any result, and choose answers by reading the code.";

/// After `config --help`.
pub(crate) const CONFIG: &str = "\
Examples:
  wherein config            the settings in force here
  wherein config --origin   and where each comes from
  wherein config --repositories team.toml   with the repositories that a file declares

A setting is taken from the flag, else the environment (WHEREIN_LIMIT=5), else .wherein.toml in the
searched folder, else config.toml in your configuration directory, else the default.";

/// After `completions --help`.
pub(crate) const COMPLETIONS: &str = "\
Examples:
  wherein completions bash > ~/.local/share/bash-completion/completions/wherein
  wherein completions zsh > ~/.zfunc/_wherein
  wherein completions fish > ~/.config/fish/completions/wherein.fish";

/// After `mcp --help`.
pub(crate) const MCP: &str = "\
Examples:
  wherein mcp                          the folders that the client has open
  wherein mcp --root ~/src/project     this folder, whatever the client has open
  wherein mcp --repo api --repo web    these repositories of your settings
  wherein agent install claude-code    have a client start it

Standard output carries the protocol alone. `wherein serve` offers the same tools over HTTP at /mcp.";

/// After `serve --help`.
pub(crate) const SERVE: &str = "\
Examples:
  wherein serve                                  the current folder, at http://127.0.0.1:7878
  wherein serve ~/src/a ~/src/b --port 8000
  wherein serve --repo '*'                       every repository of your settings
  wherein serve --allow-root ~/src               more folders may be added on the page
  wherein serve --address 0.0.0.0 --token-file token.txt --allow-host code.example.org
  curl 'http://127.0.0.1:7878/api/search?q=where+do+we+retry'

The page is at /, MCP at /mcp, the description of the API at /api/openapi.json, counts at /metrics.
Ctrl-C ends it after the requests that are under way.";

/// After `watch --help`.
pub(crate) const WATCH: &str = "\
Examples:
  wherein watch                        keep the index of the current folder true
  wherein watch ~/src/a ~/src/b        of several folders";

/// After `store --help`.
pub(crate) const STORE: &str = "\
Examples:
  wherein index --store qdrant                 publish the index of the current folder
  wherein \"where do we retry\" --store qdrant   ask it, from any machine that reaches the server
  wherein store status --store qdrant          what is published";

/// After `store status --help`.
pub(crate) const STORE_STATUS: &str = "\
Examples:
  wherein store status
  wherein store status --qdrant-url https://qdrant.example.org:6334 --collection team --json";

/// After `store migrate --help`.
pub(crate) const STORE_MIGRATE: &str = "\
Examples:
  wherein store migrate --to qdrant            publish the index of the current folder as it stands
  wherein store migrate --to embedded          take it back; nothing is embedded again";
