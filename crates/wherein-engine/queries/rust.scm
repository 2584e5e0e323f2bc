; Rust: items, members of types, the types of impl blocks, macros; axum and actix routes declared by calls.
(line_comment) @comment
(block_comment) @comment
(string_content) @string
(char_literal) @string
(attribute_item) @annotation

(function_item name: (_) @name) @symbol.function
(function_signature_item name: (_) @name) @symbol.function
(struct_item name: (type_identifier) @name) @symbol.struct
(enum_item name: (type_identifier) @name) @symbol.enum
(enum_variant name: (identifier) @name) @symbol.variant
(union_item name: (type_identifier) @name) @symbol.union
(trait_item name: (type_identifier) @name) @symbol.trait
(type_item name: (type_identifier) @name) @symbol.type
(associated_type name: (type_identifier) @name) @symbol.type
(mod_item name: (identifier) @name body: (_)) @symbol.module
(macro_definition name: (identifier) @name . (macro_rule) @body) @symbol.macro
(macro_definition name: (identifier) @name) @symbol.macro
(const_item name: (identifier) @name) @symbol.constant
(static_item name: (identifier) @name) @symbol.variable
(field_declaration name: (field_identifier) @name) @symbol.field

(impl_item type: [
  (type_identifier) @name
  (primitive_type) @name
  (generic_type type: [(type_identifier) @name (scoped_type_identifier name: (_) @name)])
  (scoped_type_identifier name: (_) @name)
  (reference_type type: [(type_identifier) @name (generic_type type: (_) @name)])
  (array_type) @name
  (tuple_type) @name
  (dynamic_type trait: (_) @name)
]) @scope

(call_expression function: [
  (identifier) @call
  (field_expression field: (field_identifier) @call)
  (scoped_identifier name: (identifier) @call)
  (generic_function function: (identifier) @call)
  (generic_function function: (field_expression field: (field_identifier) @call))
  (generic_function function: (scoped_identifier name: (identifier) @call))
])
(macro_invocation macro: [(identifier) @call (scoped_identifier name: (identifier) @call)])
; What a macro is given is not parsed, but it looks like code.
(token_tree (identifier) @call . (token_tree) @_arguments (#match? @_arguments "^\\("))

; `.route("/x", get(f).post(g))`
(call_expression
  function: (field_expression field: (field_identifier) @_method)
  arguments: (arguments . (string_literal) @route.path . (call_expression function: [
    (identifier) @route.verb
    (scoped_identifier name: (identifier) @route.verb)
    (field_expression field: (field_identifier) @route.verb)
  ])) @symbol.route
  (#eq? @_method "route"))
(call_expression
  function: (field_expression field: (field_identifier) @_method)
  arguments: (arguments . (string_literal) @route.path . (call_expression
    function: (field_expression value: (call_expression function: [
      (identifier) @route.verb
      (scoped_identifier name: (identifier) @route.verb)
      (field_expression field: (field_identifier) @route.verb)
    ])))) @symbol.route
  (#eq? @_method "route"))
