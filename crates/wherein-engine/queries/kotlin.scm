; Kotlin: types of every sort, functions with their receivers, properties, enum entries, type aliases; routes of Ktor.
(line_comment) @comment
(block_comment) @comment
(string_content) @string
(character_literal) @string
(annotation) @annotation
(package_header (qualified_identifier) @module)

(class_declaration (modifiers (class_modifier) @_enum) name: (identifier) @name (enum_class_body)? @body
  (#eq? @_enum "enum")) @symbol.enum
(class_declaration (modifiers (class_modifier) @_annotation) name: (identifier) @name
  (#eq? @_annotation "annotation")) @symbol.interface
(class_declaration "interface" name: (identifier) @name (class_body)? @body) @symbol.interface
(class_declaration name: (identifier) @name (class_body)? @body) @symbol.class
; An annotation class without a body reads like an infix call.
(infix_expression . (identifier) @_annotation . (identifier) @_class . (identifier) @name .
  (#eq? @_annotation "annotation") (#eq? @_class "class")) @symbol.interface
(object_declaration name: (identifier) @name (class_body)? @body) @symbol.object
(companion_object name: (identifier) @name (class_body)? @body) @symbol.object
(type_alias type: (identifier) @name) @symbol.type
(enum_entry (identifier) @name (class_body)? @body) @symbol.variant
(secondary_constructor "constructor" @name (block)? @body) @symbol.constructor

(function_declaration
  [
    (user_type (identifier) @parent)
    (nullable_type (user_type (identifier) @parent))
    (parenthesized_type (user_type (identifier) @parent))
  ] . "." . name: (identifier) @name (function_body)? @body) @symbol.function
(function_declaration name: (identifier) @name (function_body)? @body) @symbol.function

(class_parameter ["val" "var"] (identifier) @name) @symbol.field
(class_body (property_declaration (modifiers (property_modifier) @_const) (variable_declaration . (identifier) @name)
  (#eq? @_const "const")) @symbol.constant)
(class_body (property_declaration (variable_declaration . (identifier) @name) (getter) @body) @symbol.property)
(class_body (property_declaration (variable_declaration . (identifier) @name)) @symbol.field)
(enum_class_body (property_declaration (variable_declaration . (identifier) @name)) @symbol.field)
(source_file (property_declaration (modifiers (property_modifier) @_const) (variable_declaration . (identifier) @name)
  (#eq? @_const "const")) @symbol.constant)
(source_file (property_declaration
  [
    (user_type (identifier) @parent)
    (nullable_type (user_type (identifier) @parent))
  ] . "." . (variable_declaration . (identifier) @name) (getter)? @body) @symbol.property)
(source_file (property_declaration (variable_declaration . (identifier) @name)) @symbol.variable)
(source_file (property_declaration (multi_variable_declaration (variable_declaration . (identifier) @name) @symbol.variable)))

(call_expression . (identifier) @call)
(call_expression . (navigation_expression (identifier) @call .))
(constructor_invocation (user_type (identifier) @call .))
(constructor_invocation (user_type (identifier) @call . (type_arguments) .))
(infix_expression (_) . (identifier) @call . (_))
(callable_reference (identifier) @call .)

(call_expression
  (call_expression . (identifier) @route.verb (value_arguments . (value_argument (string_literal) @route.path)))
  (annotated_lambda) @body
  (#match? @route.verb "^(get|post|put|delete|patch|head|options|route)$")) @symbol.route
