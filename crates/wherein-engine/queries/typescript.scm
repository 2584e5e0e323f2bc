; TypeScript, beside what it shares with JavaScript: classes, types, signatures, enums and namespaces, the values of a module.
(ambient_declaration) @wrapper
(class_declaration name: (type_identifier) @name) @symbol.class
(abstract_class_declaration name: (type_identifier) @name) @symbol.class
(function_signature name: (identifier) @name) @symbol.function
(interface_declaration name: (type_identifier) @name) @symbol.interface
(type_alias_declaration name: (type_identifier) @name) @symbol.type
(enum_declaration name: (identifier) @name) @symbol.enum
(enum_body name: (property_identifier) @name @symbol.variant)
(enum_body name: (string (string_fragment) @name) @symbol.variant)
(enum_assignment name: (property_identifier) @name) @symbol.variant
(enum_assignment name: (string (string_fragment) @name)) @symbol.variant
(internal_module name: [(identifier) (nested_identifier)] @name) @symbol.module
(module name: [(identifier) (nested_identifier)] @name) @symbol.module
(module name: (string (string_fragment) @name)) @symbol.module
(arguments (class name: (type_identifier) @name) @symbol.class)
(assignment_expression right: (class name: (type_identifier) @name) @symbol.class)
(return_statement (class name: (type_identifier) @name) @symbol.class)
(export_statement value: (class name: (type_identifier) @name) @symbol.class)
(public_field_definition name: (_) @name value: [
  (arrow_function body: (_) @body)
  (function_expression body: (_) @body)
]) @symbol.method
(public_field_definition name: (_) @name) @symbol.field
(method_signature ["get" "set"] name: (_) @name) @symbol.property
(method_signature name: [(property_identifier) (private_property_identifier) (computed_property_name)] @name) @symbol.method
(method_signature name: (string (string_fragment) @name)) @symbol.method
(abstract_method_signature name: (_) @name) @symbol.method
(required_parameter [(accessibility_modifier) "readonly"] pattern: (identifier) @name) @symbol.property
(optional_parameter [(accessibility_modifier) "readonly"] pattern: (identifier) @name) @symbol.property
(property_signature name: (property_identifier) @name) @symbol.field
(property_signature name: (string (string_fragment) @name)) @symbol.field

(program [
  (lexical_declaration (variable_declarator name: (identifier) @name) @symbol.constant)
  (variable_declaration (variable_declarator name: (identifier) @name) @symbol.constant)
  (export_statement (lexical_declaration (variable_declarator name: (identifier) @name) @symbol.constant))
  (ambient_declaration (lexical_declaration (variable_declarator name: (identifier) @name) @symbol.constant))
] (#match? @name "^[A-Z][A-Z0-9_]*$"))
(program [
  (lexical_declaration (variable_declarator name: (identifier) @name value: (_) @_value) @symbol.variable)
  (variable_declaration (variable_declarator name: (identifier) @name value: (_) @_value) @symbol.variable)
] (#not-match? @_value "^require\\("))
(program [
  (lexical_declaration (variable_declarator name: (identifier) @name !value) @symbol.variable)
  (variable_declaration (variable_declarator name: (identifier) @name !value) @symbol.variable)
  (export_statement (lexical_declaration (variable_declarator name: (identifier) @name) @symbol.variable))
  (export_statement (variable_declaration (variable_declarator name: (identifier) @name) @symbol.variable))
  (ambient_declaration [
    (lexical_declaration (variable_declarator name: (identifier) @name) @symbol.variable)
    (variable_declaration (variable_declarator name: (identifier) @name) @symbol.variable)
  ])
  (export_statement (lexical_declaration
    (variable_declarator name: (object_pattern (shorthand_property_identifier_pattern) @name @symbol.variable))))
  (expression_statement (assignment_expression
    left: (member_expression object: (identifier) @_exports property: (property_identifier) @name)) @symbol.variable)
] (#any-of? @_exports "exports"))
(internal_module body: (statement_block [
  (lexical_declaration (variable_declarator name: (identifier) @name) @symbol.variable)
  (export_statement (lexical_declaration (variable_declarator name: (identifier) @name) @symbol.variable))
]))
(call_expression function: (non_null_expression (identifier) @call))
(call_expression function: (non_null_expression (member_expression property: (_) @call)))
(call_expression function: (instantiation_expression function: (identifier) @call))
