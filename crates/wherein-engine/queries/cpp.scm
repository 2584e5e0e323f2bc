; C++: definitions of functions, methods and their declarations in classes, types, members, namespaces, macros.
(comment) @comment
(string_content) @string
(raw_string_content) @string
(character) @string
(system_lib_string) @string
(attribute_specifier) @annotation
(attribute_declaration) @annotation
(ms_declspec_modifier) @annotation
(declaration) @wrapper
(type_definition) @wrapper
(linkage_specification) @wrapper
(template_declaration) @wrapper

(preproc_def name: (identifier) @name (#not-match? @name "_H(PP|XX|H)?_*$")) @symbol.macro
(preproc_function_def name: (identifier) @name value: (_) @body) @symbol.macro
(preproc_function_def name: (identifier) @name) @symbol.macro
(namespace_definition) @symbol.module
(namespace_alias_definition) @symbol.module

; GoogleTest and its like.
(function_definition !type declarator: (function_declarator
  declarator: (identifier) @_macro
  parameters: (parameter_list . (_) @parent . (_) @name .))
  (#match? @_macro "^(TYPED_)?TEST(_[FP])?$")) @symbol.test
(function_definition declarator: (function_declarator declarator: [
    (identifier) @name
    (field_identifier) @name
    (destructor_name) @name
    (operator_name) @name
    (template_function name: (_) @name)
    (qualified_identifier scope: [(namespace_identifier) @parent (template_type name: (_) @parent)] name: [(identifier) @name (destructor_name) @name (operator_name) @name (operator_cast) @name (template_function name: (_) @name)])
    (qualified_identifier name: (qualified_identifier scope: [(namespace_identifier) @parent (template_type name: (_) @parent)] name: [(identifier) @name (destructor_name) @name (operator_name) @name (operator_cast) @name (template_function name: (_) @name)]))
    (qualified_identifier name: (qualified_identifier name: (qualified_identifier scope: [(namespace_identifier) @parent (template_type name: (_) @parent)] name: [(identifier) @name (destructor_name) @name (operator_name) @name (operator_cast) @name (template_function name: (_) @name)])))
    (parenthesized_declarator [(identifier) @name (field_identifier) @name])
  ])
  (#not-match? @name "^((TYPED_)?TEST(_[FP])?|if|switch|while|for)$")) @symbol.function
(function_definition declarator: (_ (function_declarator declarator: [
    (identifier) @name
    (field_identifier) @name
    (destructor_name) @name
    (operator_name) @name
    (template_function name: (_) @name)
    (qualified_identifier scope: [(namespace_identifier) @parent (template_type name: (_) @parent)] name: [(identifier) @name (destructor_name) @name (operator_name) @name (operator_cast) @name (template_function name: (_) @name)])
    (qualified_identifier name: (qualified_identifier scope: [(namespace_identifier) @parent (template_type name: (_) @parent)] name: [(identifier) @name (destructor_name) @name (operator_name) @name (operator_cast) @name (template_function name: (_) @name)]))
    (qualified_identifier name: (qualified_identifier name: (qualified_identifier scope: [(namespace_identifier) @parent (template_type name: (_) @parent)] name: [(identifier) @name (destructor_name) @name (operator_name) @name (operator_cast) @name (template_function name: (_) @name)])))
    (parenthesized_declarator [(identifier) @name (field_identifier) @name])
  ]))) @symbol.function
(function_definition declarator: (_ (_ (function_declarator declarator: [
  (identifier) @name
  (field_identifier) @name
  (operator_name) @name
  (qualified_identifier scope: [(namespace_identifier) @parent (template_type name: (_) @parent)] name: (identifier) @name)
])))) @symbol.function
(function_definition declarator: (operator_cast) @name) @symbol.function
(function_definition declarator: [
  (qualified_identifier scope: [(namespace_identifier) @parent (template_type name: (_) @parent)] name: (operator_cast) @name)
  (qualified_identifier name: (qualified_identifier scope: [(namespace_identifier) @parent (template_type name: (_) @parent)] name: (operator_cast) @name))
]) @symbol.function

; Declarations in a class.
(field_declaration declarator: [
  (function_declarator declarator: [(identifier) (field_identifier) (destructor_name) (operator_name)] @name)
  (_ (function_declarator declarator: [(identifier) (field_identifier) (destructor_name) (operator_name)] @name))
  (_ (_ (function_declarator declarator: [(identifier) (field_identifier) (destructor_name) (operator_name)] @name)))
]) @symbol.function
(field_declaration_list [
  (declaration declarator: [
    (function_declarator declarator: [(identifier) (field_identifier) (destructor_name) (operator_name)] @name)
    (_ (function_declarator declarator: [(identifier) (field_identifier) (destructor_name) (operator_name)] @name))
    (operator_cast) @name
  ]) @symbol.function
  (template_declaration (declaration declarator: [
    (function_declarator declarator: [(identifier) (field_identifier) (destructor_name) (operator_name)] @name)
    (_ (function_declarator declarator: [(identifier) (field_identifier) (destructor_name) (operator_name)] @name))
    (operator_cast) @name
  ]) @symbol.function)
])

(class_specifier name: [(type_identifier) @name (template_type name: (_) @name) (qualified_identifier name: (type_identifier) @name) (qualified_identifier name: (template_type name: (_) @name))] body: (_)) @symbol.class
(struct_specifier name: [(type_identifier) @name (template_type name: (_) @name) (qualified_identifier name: (type_identifier) @name) (qualified_identifier name: (template_type name: (_) @name))] body: (_)) @symbol.struct
(union_specifier name: [(type_identifier) @name (template_type name: (_) @name) (qualified_identifier name: (type_identifier) @name) (qualified_identifier name: (template_type name: (_) @name))] body: (_)) @symbol.union
(enum_specifier name: [(type_identifier) @name (template_type name: (_) @name) (qualified_identifier name: (type_identifier) @name) (qualified_identifier name: (template_type name: (_) @name))] body: (_)) @symbol.enum
(enumerator) @symbol.variant
(concept_definition) @symbol.trait
(alias_declaration) @symbol.type

; A type without a tag is known by its typedef.
(type_definition type: (struct_specifier !name body: (_) @body) declarator: (type_identifier) @name) @symbol.struct
(type_definition type: (union_specifier !name body: (_) @body) declarator: (type_identifier) @name) @symbol.union
(type_definition type: (enum_specifier !name body: (_) @body) declarator: (type_identifier) @name) @symbol.enum
(type_definition type: (_ name: (_) body: (_)) declarator: [
  (type_identifier) @name
  (pointer_type_declarator declarator: (type_identifier) @name)
] @symbol.type)
(type_definition type: (_ !body) declarator: [
  (type_identifier) @name
  (_ (type_identifier) @name)
  (_ declarator: (_ (type_identifier) @name))
  (_ declarator: (_ declarator: (_ (type_identifier) @name)))
  (function_declarator declarator: (parenthesized_declarator (_ declarator: (type_identifier) @name)))
  (function_declarator declarator: (parenthesized_declarator (_ (_ declarator: (type_identifier) @name))))
  (_ (function_declarator declarator: (parenthesized_declarator (_ declarator: (type_identifier) @name))))
]) @symbol.type

(field_declaration declarator: [
  (field_identifier) @name
  (pointer_declarator declarator: [(field_identifier) @name (_ declarator: (field_identifier) @name)])
  (array_declarator declarator: [(field_identifier) @name (_ declarator: (field_identifier) @name)])
  (reference_declarator (field_identifier) @name)
  (function_declarator declarator: (parenthesized_declarator (_ declarator: (field_identifier) @name)))
  (_ (function_declarator declarator: (parenthesized_declarator (_ declarator: (field_identifier) @name))))
]) @symbol.field

; Values of a namespace; declarators with parameters are prototypes unless they are pointers.
(declaration (type_qualifier) @_const type: (_ !body) declarator: (init_declarator declarator: [
  (identifier) @name
  (array_declarator declarator: (identifier) @name)
  (array_declarator declarator: (array_declarator declarator: (identifier) @name))
  ]) (#match? @_const "^const")) @symbol.constant
(declaration type: [(_ !body) (_ !name)] declarator: [
  (identifier) @name
  (init_declarator declarator: [
    (identifier) @name
    (pointer_declarator declarator: (identifier) @name)
    (array_declarator declarator: (identifier) @name)
    (reference_declarator (identifier) @name)
    (qualified_identifier scope: [(namespace_identifier) @parent (template_type name: (_) @parent)] name: (identifier) @name)
    (_ declarator: (_ declarator: (identifier) @name))
    (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name)))
  ])
  (pointer_declarator declarator: (identifier) @name)
  (array_declarator declarator: [(identifier) @name (_ declarator: (identifier) @name)])
  (qualified_identifier scope: [(namespace_identifier) @parent (template_type name: (_) @parent)] name: (identifier) @name)
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name)))
]) @symbol.variable
(declaration type: (_ name: (_) body: (_)) declarator: [
  (identifier) @name
  (_ declarator: (identifier) @name)
] @symbol.variable)

(call_expression function: [
  (identifier) @call
  (template_function name: (_) @call)
  (qualified_identifier name: [(identifier) @call (template_function name: (_) @call)])
  (qualified_identifier name: (qualified_identifier name: [(identifier) @call (template_function name: (_) @call)]))
  (qualified_identifier name: (qualified_identifier name: (qualified_identifier name: [(identifier) @call (template_function name: (_) @call)])))
])
(call_expression function: (field_expression field: [
  (field_identifier) @call
  (template_method name: (_) @call)
  (dependent_name (template_method name: (_) @call))
  (qualified_identifier name: (identifier) @call)
]))
(call_expression function: (parenthesized_expression (pointer_expression argument: (identifier) @call)))
(new_expression type: [(type_identifier) @call (template_type name: (_) @call) (qualified_identifier name: [(type_identifier) @call (template_type name: (_) @call)])])
(compound_literal_expression type: [(type_identifier) @call (template_type name: (_) @call) (qualified_identifier name: [(type_identifier) @call (template_type name: (_) @call)])])
