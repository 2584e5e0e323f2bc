; Zig: functions, the types and values that declarations name, their members, tests.
(comment) @comment
(string_content) @string
(multiline_string) @string
(character_content) @string

; A function that gives a type is how Zig writes a generic one.
(function_declaration name: (identifier) @name type: (builtin_type) @_type (#eq? @_type "type")) @symbol.type
(function_declaration name: (identifier) @name) @symbol.function
(test_declaration [(string) @name (identifier) @name] (block) @body) @symbol.test

(variable_declaration . (identifier) @name (struct_declaration) @body) @symbol.struct
(variable_declaration . (identifier) @name (enum_declaration) @body) @symbol.enum
(variable_declaration . (identifier) @name (union_declaration) @body) @symbol.union
(variable_declaration . (identifier) @name (error_set_declaration) @body) @symbol.enum
(variable_declaration . (identifier) @name (opaque_declaration) @body) @symbol.type
(enum_declaration (container_field name: (identifier) @name) @symbol.variant)
(error_set_declaration (identifier) @name @symbol.variant)
(container_field name: (identifier) @name) @symbol.field

; What a file imports for itself is not its own.
(variable_declaration "pub" "const" . (identifier) @name) @symbol.constant
((variable_declaration "const" . (identifier) @name (_) @_value .) @symbol.constant (#not-match? @_value "^@import"))
(variable_declaration "var" . (identifier) @name) @symbol.variable

(call_expression function: [(identifier) @call (field_expression member: (identifier) @call)])
