; JavaScript, beside what it shares with TypeScript: classes, fields and the values of a module.
(class_declaration name: (identifier) @name) @symbol.class
(arguments (class name: (identifier) @name) @symbol.class)
(assignment_expression right: (class name: (identifier) @name) @symbol.class)
(return_statement (class name: (identifier) @name) @symbol.class)
(export_statement value: (class name: (identifier) @name) @symbol.class)
(field_definition property: (_) @name value: [
  (arrow_function body: (_) @body)
  (function_expression body: (_) @body)
]) @symbol.method
(field_definition property: (_) @name) @symbol.field

(program [
  (lexical_declaration (variable_declarator name: (identifier) @name) @symbol.constant)
  (variable_declaration (variable_declarator name: (identifier) @name) @symbol.constant)
  (export_statement (lexical_declaration (variable_declarator name: (identifier) @name) @symbol.constant))
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
  (export_statement (lexical_declaration
    (variable_declarator name: (object_pattern (shorthand_property_identifier_pattern) @name @symbol.variable))))
  (expression_statement (assignment_expression
    left: (member_expression object: (identifier) @_exports property: (property_identifier) @name)) @symbol.variable)
] (#any-of? @_exports "exports"))
