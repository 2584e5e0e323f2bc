; Elixir: modules, protocols, functions, macros, types, attributes, the fields of structs, tests; Phoenix and Plug routes.
(comment) @comment
(quoted_content) @string
(char) @string

(call target: (identifier) @_def (arguments . (alias) @name) (do_block) @body (#eq? @_def "defmodule")) @symbol.module
(call target: (identifier) @_def (arguments . (alias) @name) (do_block) @body (#eq? @_def "defprotocol")) @symbol.interface
(call target: (identifier) @_def
  (arguments . (alias) (keywords (pair key: (keyword) @_for value: (alias) @name)))
  (#eq? @_def "defimpl") (#match? @_for "^for:")) @scope
(call target: (identifier) @_def (arguments . (alias) @name .) (#eq? @_def "defimpl")) @scope
(call target: (identifier)
  (do_block (unary_operator operand: (call target: (identifier) @_doc (arguments [(string) (sigil)] @doc))))
  (#eq? @_doc "moduledoc"))
(unary_operator operator: "@" operand: (call target: (identifier) @_doc (arguments . [(string) (sigil)] .))
  (#match? @_doc "^(doc|typedoc)$")) @doc.above
(unary_operator operator: "@" operand: (call target: (identifier) @_doc (arguments . (keywords)))
  (#eq? @_doc "doc")) @annotation
(unary_operator operator: "@" operand: (call target: (identifier) @_name)
  (#match? @_name "^(spec|impl|deprecated|since|tag|describetag|dialyzer)$")) @annotation

; The first says of what kind, the others where the body begins.
(call target: (identifier) @_def (arguments . [
    (identifier) @name
    (call target: (identifier) @name)
    (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "when")
  ])
  (#match? @_def "^(defmacrop?|defguardp?)$")) @symbol.macro
(call target: (identifier) @_def (arguments . [
    (identifier) @name
    (call target: (identifier) @name)
    (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "when")
  ]) (do_block) @body
  (#match? @_def "^(defp?|defmacrop?|defnp?)$")) @symbol.function
(call target: (identifier) @_def (arguments . [
    (identifier) @name
    (call target: (identifier) @name)
    (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "when")
  ] (keywords) @body)
  (#match? @_def "^(defp?|defmacrop?|defnp?|defdelegate)$")) @symbol.function
(call target: (identifier) @_def (arguments . [
    (identifier) @name
    (call target: (identifier) @name)
    (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "when")
  ])
  (#match? @_def "^(defp?|defnp?|defdelegate)$")) @symbol.function
(call target: (identifier) @_def (arguments . (binary_operator operator: _ @name)) (do_block) @body
  (#match? @_def "^(defp?|defmacrop?)$") (#not-match? @name "^(when|::)$")) @symbol.function
(call target: (identifier) @_def (arguments . (binary_operator operator: _ @name) (keywords) @body)
  (#match? @_def "^(defp?|defmacrop?)$") (#not-match? @name "^(when|::)$")) @symbol.function

(call target: (identifier) @_def (arguments [
  (list (atom) @name)
  (list (keywords (pair key: (keyword) @name)))
  (keywords (pair key: (keyword) @name))
]) (#match? @_def "^(defstruct|defexception)$")) @symbol.field

(unary_operator operator: "@" operand: (call target: (identifier) @_type
  (arguments . (binary_operator left: [(identifier) @name (call target: (identifier) @name)])))
  (#match? @_type "^(type|typep|opaque)$")) @symbol.type
(unary_operator operator: "@" operand: (call target: (identifier) @_type
  (arguments . (binary_operator left: [
    (identifier) @name
    (call target: (identifier) @name)
    (binary_operator left: (call target: (identifier) @name))
  ])))
  (#match? @_type "^(callback|macrocallback)$")) @symbol.method
(unary_operator operator: "@" operand: (call target: (identifier) @name (arguments))
  (#not-match? @name "^(doc|moduledoc|typedoc|shortdoc|spec|type|typep|opaque|callback|macrocallback|optional_callbacks|impl|deprecated|since|behaviour|derive|enforce_keys|compile|dialyzer|before_compile|after_compile|after_verify|on_load|on_definition|external_resource|file|nifs|tag|moduletag|describetag|preferred_cli_env|recursive|requirements|vsn)$")) @symbol.constant

(call target: (identifier) @_macro (arguments . (string) @name) (do_block) @body
  (#match? @_macro "^(test|describe|feature|property)$")) @symbol.test
(call target: (identifier) @route.verb
  (arguments . (string) @route.path . [(alias) (keywords) (atom)])) @symbol.route
(call target: (identifier) @route.verb (arguments . (string) @route.path .) (do_block) @body) @symbol.route

(call target: (identifier) @call
  (#not-match? @call "^(def|defp|defmodule|defmacro|defmacrop|defguard|defguardp|defdelegate|defstruct|defexception|defprotocol|defimpl|defn|defnp|doc|moduledoc|typedoc|spec|type|typep|opaque|callback|macrocallback|impl|deprecated|tag|behaviour|derive|alias|import|require|use)$"))
(call target: (dot right: (identifier) @call))
