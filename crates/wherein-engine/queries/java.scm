; Java: types of every sort, their methods, constructors and fields, enum constants, record components.
(line_comment) @comment
(block_comment) @comment
(string_fragment) @string
(multiline_string_fragment) @string
(character_literal) @string
(annotation) @annotation
(marker_annotation) @annotation

(package_declaration [(identifier) (scoped_identifier)] @module)
(module_declaration name: (_) @name) @symbol.module

(class_declaration name: (identifier) @name) @symbol.class
(record_declaration name: (identifier) @name) @symbol.struct
(interface_declaration name: (identifier) @name) @symbol.interface
(annotation_type_declaration name: (identifier) @name) @symbol.interface
(enum_declaration name: (identifier) @name) @symbol.enum
(enum_constant name: (identifier) @name) @symbol.variant
(method_declaration name: (identifier) @name) @symbol.method
(annotation_type_element_declaration name: (identifier) @name) @symbol.method
(constructor_declaration name: (identifier) @name) @symbol.constructor
(compact_constructor_declaration name: (identifier) @name) @symbol.constructor
(record_declaration parameters: (formal_parameters (formal_parameter name: (identifier) @name) @symbol.field))

(field_declaration (modifiers "static" "final") declarator: (variable_declarator name: (identifier) @name)) @symbol.constant
(field_declaration (modifiers "final" "static") declarator: (variable_declarator name: (identifier) @name)) @symbol.constant
(field_declaration declarator: (variable_declarator name: (identifier) @name)) @symbol.field
(constant_declaration declarator: (variable_declarator name: (identifier) @name)) @symbol.constant

(method_invocation name: (identifier) @call)
(object_creation_expression type: [
  (type_identifier) @call
  (generic_type (type_identifier) @call)
  (scoped_type_identifier (type_identifier) @call .)
  (generic_type (scoped_type_identifier (type_identifier) @call .))
])
(method_reference . (_) (identifier) @call .)
