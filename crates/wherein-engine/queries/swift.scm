; Swift: types, protocols, extensions, functions, properties of types and of files, macros.
(comment) @comment
(multiline_comment) @comment
(line_str_text) @string
(multi_line_str_text) @string
(raw_str_part) @string
(raw_str_end_part) @string
(attribute) @annotation

(class_declaration declaration_kind: "struct" name: (type_identifier) @name) @symbol.struct
(class_declaration declaration_kind: "enum" name: (type_identifier) @name) @symbol.enum
(class_declaration declaration_kind: "extension" name: [
  (user_type (type_identifier) @name .)
  (user_type (type_identifier) @name . (type_arguments))
]) @scope
(class_declaration name: (type_identifier) @name) @symbol.class
(protocol_declaration) @symbol.interface
(typealias_declaration) @symbol.type
(associatedtype_declaration) @symbol.type
(enum_entry name: (simple_identifier) @name) @symbol.variant
(macro_declaration (simple_identifier) @name) @symbol.macro

; By the field `name`, which is also that of the result: the first is meant. A pattern would take half a second to compile.
(function_declaration) @symbol.function
(protocol_function_declaration) @symbol.function
(init_declaration name: "init" @name) @symbol.constructor
(deinit_declaration "deinit" @name) @symbol.method
(subscript_declaration "subscript" @name (computed_property) @body) @symbol.method
(subscript_declaration "subscript" @name) @symbol.method

; Values in closures are nobody's business.
(property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)
  computed_value: (computed_property) @body) @symbol.property
(protocol_property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)) @symbol.property
(class_body (property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)) @symbol.field)
(enum_class_body (property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)) @symbol.field)
(source_file (property_declaration
  (value_binding_pattern mutability: "let")
  name: (pattern bound_identifier: (simple_identifier) @name)) @symbol.constant)
(source_file (property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)) @symbol.variable)

; `items[0]` is a call to the grammar.
(call_expression . (simple_identifier) @call . (call_suffix) @_suffix (#not-match? @_suffix "^\\["))
(call_expression
  . (navigation_expression suffix: (navigation_suffix suffix: (simple_identifier) @call))
  . (call_suffix) @_suffix (#not-match? @_suffix "^\\["))
(call_expression . (prefix_expression target: (simple_identifier) @call))
(constructor_expression constructed_type: (user_type (type_identifier) @call .))
(constructor_expression constructed_type: (user_type (type_identifier) @call . (type_arguments)))
(macro_invocation (simple_identifier) @call)
