; Scala 2 and 3: classes, traits, objects, enums, givens, extensions, definitions, type members.
(comment) @comment
(block_comment) @comment
(string) @string
(character_literal) @string
(xml_text) @string
(annotation) @annotation
(package_clause !body name: (package_identifier) @module.part)
(package_clause name: (package_identifier) @name body: (_)) @symbol.module

(class_definition name: (_) @name) @symbol.class
(trait_definition name: (_) @name) @symbol.trait
(object_definition name: (_) @name) @symbol.object
(package_object name: (_) @name) @symbol.object
(enum_definition name: (_) @name) @symbol.enum
(simple_enum_case name: (_) @name) @symbol.variant
(full_enum_case name: (_) @name) @symbol.variant
(type_definition name: (type_identifier) @name) @symbol.type
(given_definition name: (_) @name) @symbol.object
(extension_definition parameters: (parameters (parameter type: [
  (type_identifier) @name
  (generic_type type: (type_identifier) @name)
]))) @scope

(function_definition name: (identifier) @name (#eq? @name "this")) @symbol.constructor
(function_definition name: (_) @name) @symbol.function
(function_declaration name: (_) @name) @symbol.function

(class_parameter ["val" "var"] name: (_) @name) @symbol.field
(class_definition "case" class_parameters: (class_parameters (class_parameter name: (_) @name) @symbol.field))
(full_enum_case class_parameters: (class_parameters (class_parameter name: (_) @name) @symbol.field))
(template_body [
  (val_definition pattern: (identifier) @name)
  (val_definition pattern: (identifiers (identifier) @name))
  (val_definition pattern: (typed_pattern pattern: (identifier) @name))
  (var_definition pattern: (identifier) @name)
  (var_definition pattern: (identifiers (identifier) @name))
  (val_declaration name: (_) @name)
  (var_declaration name: (_) @name)
] @symbol.field)
(with_template_body [
  (val_definition pattern: (identifier) @name)
  (var_definition pattern: (identifier) @name)
] @symbol.field)
(enum_body [
  (val_definition pattern: (identifier) @name)
  (var_definition pattern: (identifier) @name)
] @symbol.field)
(compilation_unit [
  (val_definition pattern: (identifier) @name)
  (var_definition pattern: (identifier) @name)
] @symbol.variable)

(call_expression function: (identifier) @call)
(call_expression function: (field_expression field: (_) @call))
(generic_function function: (identifier) @call)
(generic_function function: (field_expression field: (_) @call))
(infix_expression operator: (identifier) @call)
(instance_expression (type_identifier) @call)
(instance_expression (generic_type type: (type_identifier) @call))
(instance_expression (stable_type_identifier (type_identifier) @call .))
(instance_expression (generic_type type: (stable_type_identifier (type_identifier) @call .)))
