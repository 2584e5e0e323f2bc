; Dart: classes, mixins, extensions, enums and their members, named constructors, accessors, values of libraries and types.
(comment) @comment
(documentation_comment) @comment
(template_chars_double) @string
(template_chars_double_single) @string
(template_chars_single) @string
(template_chars_single_single) @string
(template_chars_raw_slash) @string
(annotation) @annotation
(member_declaration) @wrapper
(library_name (dotted_identifier_list) @module)

(class_declaration name: (identifier) @name) @symbol.class
(class_declaration (mixin_application_class . (identifier) @name)) @symbol.class
(mixin_declaration name: (identifier) @name) @symbol.trait
(enum_declaration name: (identifier) @name) @symbol.enum
(enum_entry name: (identifier) @name) @symbol.variant
(extension_declaration name: (identifier) @name) @symbol.object
(extension_declaration !name class: (type (type_identifier) @name)) @scope
(extension_type_declaration name: (extension_type_name (identifier) @name)) @symbol.struct
(extension_type_declaration name: (identifier) @name) @symbol.struct
(type_alias (type_identifier) @name) @symbol.type

(function_declaration signature: (function_signature name: (identifier) @name)) @symbol.function
(external_function_declaration signature: (function_signature name: (identifier) @name)) @symbol.function
(local_function_declaration (function_signature name: (identifier) @name) (function_body) @body) @symbol.function
(getter_declaration signature: (getter_signature name: (identifier) @name)) @symbol.property
(setter_declaration signature: (setter_signature name: (identifier) @name)) @symbol.property
(external_getter_declaration signature: (getter_signature name: (identifier) @name)) @symbol.property

(method_declaration signature: (method_signature [
  (constructor_signature name: (identifier) @name . parameters: (_))
  (factory_constructor_signature name: (identifier) @name . parameters: (_))
])) @symbol.constructor
(method_declaration signature: (method_signature (function_signature name: (identifier) @name))) @symbol.method
(method_declaration signature: (method_signature (operator_signature operator: (_) @name))) @symbol.method
(method_declaration signature: (method_signature [
  (getter_signature name: (identifier) @name)
  (setter_signature name: (identifier) @name)
])) @symbol.property
(declaration [
  (constructor_signature name: (identifier) @name . parameters: (_))
  (constant_constructor_signature name: (identifier) @name . parameters: (_))
  (factory_constructor_signature name: (identifier) @name . parameters: (_))
  (redirecting_factory_constructor_signature name: (identifier) @name . parameters: (_))
]) @symbol.constructor
(declaration (function_signature name: (identifier) @name)) @symbol.method
(declaration (operator_signature operator: (_) @name)) @symbol.method
(declaration [
  (getter_signature name: (identifier) @name)
  (setter_signature name: (identifier) @name)
]) @symbol.property

(declaration "const" (static_final_declaration_list (static_final_declaration name: (identifier) @name))) @symbol.constant
(declaration (static_final_declaration_list (static_final_declaration name: (identifier) @name))) @symbol.field
(declaration (initialized_identifier_list (initialized_identifier name: (identifier) @name))) @symbol.field
(declaration (identifier_list (identifier) @name)) @symbol.field
(extension_type_representation name: (identifier) @name) @symbol.field
(top_level_variable_declaration "const"
  (static_final_declaration_list (static_final_declaration name: (identifier) @name))) @symbol.constant
(top_level_variable_declaration
  (static_final_declaration_list (static_final_declaration name: (identifier) @name))) @symbol.variable
(top_level_variable_declaration
  (initialized_identifier_list (initialized_identifier name: (identifier) @name))) @symbol.variable

(call_expression function: (identifier) @call)
(call_expression function: (member_expression property: (identifier) @call))
(call_expression function: (null_aware_member_expression property: (identifier) @call))
(instantiation_expression function: (identifier) @call)
(instantiation_expression function: (member_expression property: (identifier) @call))
(instantiation_expression function: (null_aware_member_expression property: (identifier) @call))
(cascade_call_expression property: (identifier) @call)
(new_expression type: (type . (type_identifier) @call))
(const_object_expression type: (type . (type_identifier) @call))
(constructor_invocation type: (type_identifier) @call)

(call_expression
  function: (member_expression object: (_) @_on property: (identifier) @route.verb)
  arguments: (arguments . (string_literal) @route.path . (_))
  (#match? @_on "(?i)^(this\\.)?(app|.*router|.*routes?|server)$")) @symbol.route
