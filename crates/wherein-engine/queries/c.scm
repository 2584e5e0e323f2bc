; C: definitions of functions, types and their members, macros, the variables of a file. Prototypes are left out.
(comment) @comment
(string_content) @string
(character) @string
(system_lib_string) @string
(attribute_specifier) @annotation
(attribute_declaration) @annotation
(ms_declspec_modifier) @annotation
(declaration) @wrapper
(type_definition) @wrapper
(linkage_specification) @wrapper

(preproc_def name: (identifier) @name (#not-match? @name "_H_*$")) @symbol.macro
(preproc_function_def name: (identifier) @name value: (_) @body) @symbol.macro
(preproc_function_def name: (identifier) @name) @symbol.macro

; Broken code makes functions of `else if`.
(function_definition declarator: [
  (function_declarator declarator: (identifier) @name)
  (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))
  (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)))
  (pointer_declarator declarator: (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))))
  (function_declarator declarator: (parenthesized_declarator (identifier) @name))
  (pointer_declarator declarator: (function_declarator declarator: (parenthesized_declarator (identifier) @name)))
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))))
  ; `API int (name)(int x)`
  (function_declarator declarator: (function_declarator parameters: (parameter_list . (parameter_declaration !declarator type: (type_identifier) @name) .)))
] (#not-match? @name "^(if|while|switch|for)$")) @symbol.function

(struct_specifier name: (type_identifier) @name body: (_)) @symbol.struct
(union_specifier name: (type_identifier) @name body: (_)) @symbol.union
(enum_specifier name: (type_identifier) @name body: (_)) @symbol.enum
(enumerator) @symbol.variant

; A type without a tag is known by its typedef.
(type_definition type: (struct_specifier !name body: (_) @body) declarator: (type_identifier) @name) @symbol.struct
(type_definition type: (union_specifier !name body: (_) @body) declarator: (type_identifier) @name) @symbol.union
(type_definition type: (enum_specifier !name body: (_) @body) declarator: (type_identifier) @name) @symbol.enum
(type_definition type: (_ name: (_) body: (_)) declarator: [
  (type_identifier) @name
  (pointer_declarator declarator: (type_identifier) @name)
] @symbol.type)
(type_definition type: (_ !body) declarator: [
  (type_identifier) @name
  (_ declarator: (type_identifier) @name)
  (_ declarator: (_ declarator: (type_identifier) @name))
  (_ declarator: (_ declarator: (_ declarator: (type_identifier) @name)))
  (function_declarator declarator: (parenthesized_declarator (type_identifier) @name))
  (function_declarator declarator: (parenthesized_declarator (_ declarator: (type_identifier) @name)))
  (_ declarator: (function_declarator declarator: (parenthesized_declarator (_ declarator: (type_identifier) @name))))
]) @symbol.type

(field_declaration declarator: [
  (field_identifier) @name
  (_ declarator: (field_identifier) @name)
  (_ declarator: (_ declarator: (field_identifier) @name))
  (_ declarator: (_ declarator: (_ declarator: (field_identifier) @name)))
  (function_declarator declarator: (parenthesized_declarator (_ declarator: (field_identifier) @name)))
  (_ declarator: (function_declarator declarator: (parenthesized_declarator (_ declarator: (field_identifier) @name))))
]) @symbol.field

; Values of a file; declarators with parameters are prototypes unless they are pointers.
(declaration (type_qualifier) @_const type: (_ !body) declarator: (init_declarator declarator: [
  (identifier) @name
  (array_declarator declarator: (identifier) @name)
  (array_declarator declarator: (array_declarator declarator: (identifier) @name))
  ]) (#match? @_const "^const")) @symbol.constant
(declaration type: [(_ !body) (_ !name)] declarator: [
  (identifier) @name
  (array_declarator declarator: [(identifier) @name (_ declarator: (identifier) @name)])
  (pointer_declarator declarator: [(identifier) @name (pointer_declarator declarator: (identifier) @name) (array_declarator declarator: (identifier) @name)])
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: [(identifier) @name (array_declarator declarator: (identifier) @name)])))
  (init_declarator declarator: [
    (identifier) @name
    (array_declarator declarator: [(identifier) @name (_ declarator: (identifier) @name)])
    (pointer_declarator declarator: [(identifier) @name (pointer_declarator declarator: (identifier) @name) (array_declarator declarator: (identifier) @name)])
    (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: [(identifier) @name (array_declarator declarator: (identifier) @name)])))
  ])
]) @symbol.variable
(declaration type: (_ name: (_) body: (_)) declarator: [
  (identifier) @name
  (_ declarator: (identifier) @name)
] @symbol.variable)

(call_expression function: (identifier) @call)
(call_expression function: (field_expression field: (field_identifier) @call))
(call_expression function: (parenthesized_expression (pointer_expression argument: (identifier) @call)))
