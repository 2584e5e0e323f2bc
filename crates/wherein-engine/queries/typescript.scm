; TypeScript and TSX.
(comment) @comment
(string_fragment) @string
(decorator) @annotation
(export_statement) @wrapper

(function_declaration name: (identifier) @name) @symbol.function
(generator_function_declaration name: (identifier) @name) @symbol.function
(function_signature name: (identifier) @name) @symbol.function
(class_declaration name: (type_identifier) @name) @symbol.class
(abstract_class_declaration name: (type_identifier) @name) @symbol.class
(interface_declaration name: (type_identifier) @name) @symbol.interface
(enum_declaration name: (identifier) @name) @symbol.enum
(type_alias_declaration name: (type_identifier) @name) @symbol.type
(internal_module name: (_) @name) @symbol.module
(method_definition name: (property_identifier) @name (#eq? @name "constructor")) @symbol.constructor
(method_definition name: (_) @name) @symbol.method
(method_signature name: (_) @name) @symbol.method
(abstract_method_signature name: (_) @name) @symbol.method
(public_field_definition name: (_) @name value: (arrow_function body: (_) @body)) @symbol.method
(public_field_definition name: (_) @name) @symbol.field
(property_signature name: (_) @name) @symbol.field
(variable_declarator name: (identifier) @name value: (arrow_function body: (_) @body)) @symbol.function
(variable_declarator name: (identifier) @name value: (function_expression body: (_) @body)) @symbol.function
(program (lexical_declaration (variable_declarator name: (identifier) @name) @symbol.variable))
(program (export_statement (lexical_declaration (variable_declarator name: (identifier) @name) @symbol.variable)))
(lexical_declaration) @wrapper

(call_expression function: (identifier) @call)
(call_expression function: (member_expression property: (property_identifier) @call))
(new_expression constructor: (identifier) @call)
(call_expression
  function: (member_expression property: (property_identifier) @route.verb)
  arguments: (arguments . (string) @route.path . (_))) @symbol.route
