; C#: types of every sort and their members, delegates, enum values, local functions; routes of minimal APIs.
(comment) @comment
(string_literal_content) @string
(raw_string_content) @string
(verbatim_string_literal) @string
(string_content) @string
(character_literal_content) @string
(attribute_list) @annotation

(file_scoped_namespace_declaration name: (_) @module)
(namespace_declaration name: (_) @name) @symbol.module

(class_declaration name: (identifier) @name) @symbol.class
(struct_declaration name: (identifier) @name) @symbol.struct
(record_declaration name: (identifier) @name) @symbol.struct
(interface_declaration name: (identifier) @name) @symbol.interface
(enum_declaration name: (identifier) @name) @symbol.enum
(enum_member_declaration name: (identifier) @name) @symbol.variant
(delegate_declaration name: (identifier) @name) @symbol.type
(record_declaration (parameter_list (parameter name: (identifier) @name) @symbol.property))

; Broken code turns statements into declarations.
(method_declaration name: (identifier) @name
  (#not-any-of? @name "if" "else" "while" "for" "foreach" "switch" "using" "lock" "catch" "return" "throw" "new" "await")) @symbol.method
(local_function_statement name: (identifier) @name
  (#not-any-of? @name "if" "else" "while" "for" "foreach" "switch" "using" "lock" "catch" "return" "throw" "new" "await")) @symbol.function
(constructor_declaration name: (identifier) @name) @symbol.constructor
(destructor_declaration name: (identifier) @name) @symbol.method
(operator_declaration operator: _ @name) @symbol.method
(conversion_operator_declaration type: (_) @name) @symbol.method
(indexer_declaration "this" @name accessors: (_)? @body) @symbol.property
(property_declaration name: (identifier) @name accessors: (_) @body) @symbol.property
(property_declaration name: (identifier) @name value: (arrow_expression_clause) @body) @symbol.property
(event_declaration name: (identifier) @name accessors: (_) @body) @symbol.field
(event_field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @symbol.field
(field_declaration (modifier) @_const (variable_declaration (variable_declarator name: (identifier) @name))
  (#eq? @_const "const")) @symbol.constant
(field_declaration (modifier) @_static (modifier) @_readonly (variable_declaration (variable_declarator name: (identifier) @name))
  (#eq? @_static "static") (#eq? @_readonly "readonly")) @symbol.constant
(field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @symbol.field

(invocation_expression function: [
  (identifier) @call
  (generic_name (identifier) @call)
  (member_access_expression name: [(identifier) @call (generic_name (identifier) @call)])
  (conditional_access_expression (member_binding_expression name: [(identifier) @call (generic_name (identifier) @call)]))
])
(object_creation_expression type: [
  (identifier) @call
  (generic_name (identifier) @call)
  (qualified_name name: [(identifier) @call (generic_name (identifier) @call)])
])

(invocation_expression
  function: (member_access_expression name: (identifier) @route.verb)
  arguments: (argument_list . (argument (string_literal) @route.path) . (argument))
  (#match? @route.verb "^Map(Get|Post|Put|Delete|Patch)$")) @symbol.route
