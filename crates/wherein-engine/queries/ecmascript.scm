; What JavaScript and TypeScript share: functions however they are bound, members of classes, tests and routes that calls declare.
(comment) @comment
(html_comment) @comment
(string_fragment) @string
(decorator) @annotation
(export_statement) @wrapper
(lexical_declaration) @wrapper
(variable_declaration) @wrapper

(function_declaration name: (identifier) @name) @symbol.function
(generator_function_declaration name: (identifier) @name) @symbol.function
(variable_declarator name: (identifier) @name value: [
  (arrow_function body: (_) @body)
  (function_expression body: (_) @body)
  (generator_function body: (_) @body)
]) @symbol.function
(variable_declarator name: (identifier) @name value: (class body: (_) @body)) @symbol.class
(arguments (function_expression name: (identifier) @name) @symbol.function)
(return_statement (function_expression name: (identifier) @name) @symbol.function)
(assignment_expression
  left: (member_expression property: (_) @_as)
  right: (function_expression name: (identifier) @name) @symbol.function
  (#not-eq? @name @_as) (#not-eq? @_as "exports"))
(variable_declarator name: (identifier) @_as
  value: (function_expression name: (identifier) @name) @symbol.function
  (#not-eq? @name @_as))

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

(call_expression function: (identifier) @call)
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
