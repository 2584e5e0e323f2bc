; Go: functions, methods with their receivers, types and their members, package values.
(comment) @comment
(interpreted_string_literal_content) @string
(raw_string_literal_content) @string
(rune_literal) @string

(package_clause (package_identifier) @module)

(function_declaration name: (identifier) @name) @symbol.function
(method_declaration
  receiver: (parameter_list (parameter_declaration type: [
    (type_identifier) @parent
    (generic_type type: (type_identifier) @parent)
    (pointer_type (type_identifier) @parent)
    (pointer_type (generic_type type: (type_identifier) @parent))
  ]))
  name: (field_identifier) @name) @symbol.method
(method_declaration name: (field_identifier) @name) @symbol.method

(type_spec name: (type_identifier) @name type: (struct_type (field_declaration_list) @body)) @symbol.struct
(type_spec name: (type_identifier) @name type: (interface_type)) @symbol.interface
(type_spec name: (type_identifier) @name) @symbol.type
(type_alias name: (type_identifier) @name) @symbol.type
(type_declaration) @wrapper
(const_declaration) @wrapper
(var_declaration) @wrapper
(method_elem name: (field_identifier) @name) @symbol.method
(field_declaration name: (field_identifier) @name) @symbol.field
(field_declaration !name type: [
  (type_identifier) @name
  (qualified_type name: (_) @name)
  (generic_type type: [(type_identifier) @name (qualified_type name: (_) @name)])
]) @symbol.field
(source_file (const_declaration (const_spec (identifier) @name) @symbol.constant))
(source_file (var_declaration (var_spec name: (identifier) @name) @symbol.variable))
(source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name) @symbol.variable)))

(call_expression function: (identifier) @call)
(call_expression function: (selector_expression field: (field_identifier) @call))
(call_expression function: (index_expression operand: [(identifier) @call (selector_expression field: (field_identifier) @call)]))
(call_expression function: (parenthesized_expression [(identifier) @call (selector_expression field: (field_identifier) @call)]))
(call_expression function: (type_instantiation_expression type: [(type_identifier) @call (qualified_type name: (_) @call)]))
(type_conversion_expression type: (generic_type type: [(type_identifier) @call (qualified_type name: (_) @call)]))

; gin, chi, echo: `r.GET("/x", h)`; `r.Handle("GET", "/x", h)`
(call_expression
  function: (selector_expression field: (field_identifier) @route.verb)
  arguments: (argument_list . [(interpreted_string_literal) (raw_string_literal)] @route.path . (_))) @symbol.route
(call_expression
  function: (selector_expression field: (field_identifier) @_method)
  arguments: (argument_list
    . (interpreted_string_literal (interpreted_string_literal_content) @route.verb)
    . [(interpreted_string_literal) (raw_string_literal)] @route.path
    . (_))
  (#match? @_method "^(Handle|HandleFunc|Method|MethodFunc|Add)$")) @symbol.route
