; TypeScript: what JavaScript has, and types, signatures, enums and namespaces.
(comment) @comment
(html_comment) @comment
(string_fragment) @string
(decorator) @annotation
(export_statement) @wrapper
(lexical_declaration) @wrapper
(ambient_declaration) @wrapper
(variable_declaration) @wrapper

(function_declaration name: (identifier) @name) @symbol.function
(generator_function_declaration name: (identifier) @name) @symbol.function
(variable_declarator name: (identifier) @name value: [
  (arrow_function body: (_) @body)
  (function_expression body: (_) @body)
  (generator_function body: (_) @body)
]) @symbol.function
(variable_declarator name: (identifier) @name value: (class body: (_) @body)) @symbol.class
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
(arguments (function_expression name: (identifier) @name) @symbol.function)
(arguments (class name: (type_identifier) @name) @symbol.class)
(return_statement (function_expression name: (identifier) @name) @symbol.function)
(assignment_expression right: (class name: (type_identifier) @name) @symbol.class)
(return_statement (class name: (type_identifier) @name) @symbol.class)
(assignment_expression
  left: (member_expression property: (_) @_as)
  right: (function_expression name: (identifier) @name) @symbol.function
  (#not-eq? @name @_as) (#not-eq? @_as "exports"))
(variable_declarator name: (identifier) @_as
  value: (function_expression name: (identifier) @name) @symbol.function
  (#not-eq? @name @_as))
(export_statement value: (class name: (type_identifier) @name) @symbol.class)

(assignment_expression left: (member_expression property: (property_identifier) @_exports)
  right: (function_expression name: (identifier) @name body: (_) @body)
  (#eq? @_exports "exports")) @symbol.function
(assignment_expression left: (identifier) @name right: [
  (arrow_function body: (_) @body)
  (function_expression body: (_) @body)
  (generator_function body: (_) @body)
]) @symbol.function
(assignment_expression
  left: (member_expression object: (_) @_of property: (_) @name)
  right: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]
  (#any-of? @_of "exports" "module.exports" "module")
  (#not-eq? @name "exports")) @symbol.function
(assignment_expression
  left: (member_expression
    object: (member_expression object: (_) @parent property: (property_identifier) @_prototype)
    property: (_) @name)
  right: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]
  (#eq? @_prototype "prototype")) @symbol.method
(assignment_expression
  left: (member_expression object: (this) property: (_) @name)
  right: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]) @symbol.method
(assignment_expression
  left: (member_expression object: [(identifier) (member_expression)] @parent property: (_) @name)
  right: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]
  (#not-match? @parent "^(module|exports|module\\.exports)$|\\.prototype$")) @symbol.method
(assignment_expression
  left: (member_expression object: (_) @_of property: (property_identifier) @name)
  right: (class body: (_) @body)
  (#any-of? @_of "exports" "module.exports")) @symbol.class

(method_definition name: (property_identifier) @name (#eq? @name "constructor")) @symbol.constructor
(method_definition ["get" "set"] name: (_) @name) @symbol.property
(method_definition name: (string (string_fragment) @name)) @symbol.method
(method_definition name: [
  (property_identifier) (private_property_identifier) (computed_property_name) (number)
] @name) @symbol.method
(pair key: [
  (property_identifier) @name
  (string (string_fragment) @name)
] value: [
  (arrow_function body: (_) @body)
  (function_expression body: (_) @body)
  (generator_function body: (_) @body)
] (#match? @name "^[\\w$-]+$")) @symbol.method
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

(call_expression function: (identifier) @call)
(call_expression function: (non_null_expression (identifier) @call))
(call_expression function: (non_null_expression (member_expression property: (_) @call)))
(call_expression function: (instantiation_expression function: (identifier) @call))
(call_expression function: (member_expression property: (_) @call))
(new_expression constructor: (identifier) @call)
(new_expression constructor: (member_expression property: (_) @call))

(call_expression function: [(identifier) (member_expression) (call_expression)] @_test
  arguments: (arguments
    . [(string . (string_fragment) @name) (template_string . (string_fragment) @name)]
    [(arrow_function body: (_) @body) (function_expression body: (_) @body)])
  (#match? @_test "^(describe|suite|context|it|test|specify|bench)(\\.(only|skip|each|for|concurrent|sequential|todo|fails|failing|describe|step|skipIf|runIf))*(\\(|$)")) @symbol.test

(call_expression
  function: (member_expression object: (_) @_on property: (property_identifier) @route.verb)
  arguments: (arguments . [(string) (template_string)] @route.path (_)* [(arrow_function) (function_expression)] .)
  (#not-match? @_on "(?i)^(\\$|jquery|axios|http|https|client|agent|nock|mock.*|moxios|cy|page|cache|.*\\))$")) @symbol.route
(call_expression
  function: (member_expression object: (_) @_on property: (property_identifier) @route.verb)
  arguments: (arguments . [(string) (template_string)] @route.path . (_))
  (#match? @_on "(?i)^(this\\.)?(app|.*router|.*server|.*routes?|fastify|api|koa|hono)$")) @symbol.route
(call_expression
  function: (member_expression
    object: (call_expression
      function: (member_expression property: (property_identifier) @_route)
      arguments: (arguments . (string) @route.path .))
    property: (property_identifier) @route.verb)
  (#eq? @_route "route")) @symbol.route
(call_expression
  function: (member_expression
    object: (call_expression function: (member_expression
      object: (call_expression
        function: (member_expression property: (property_identifier) @_route)
        arguments: (arguments . (string) @route.path .))))
    property: (property_identifier) @route.verb)
  (#eq? @_route "route")) @symbol.route
