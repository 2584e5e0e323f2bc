; PHP: functions, classes, interfaces, traits and enums with their members, constants; routes of Laravel and Slim.
(comment) @comment
(string_content) @string
(nowdoc_string) @string
(text) @string
(attribute_group) @annotation
(namespace_definition name: (namespace_name) @module)

(function_definition name: (name) @name) @symbol.function
(class_declaration name: (name) @name) @symbol.class
(interface_declaration name: (name) @name) @symbol.interface
(trait_declaration name: (name) @name) @symbol.trait
(enum_declaration name: (name) @name) @symbol.enum
(enum_case name: (name) @name) @symbol.variant
(method_declaration name: (name) @name (#eq? @name "__construct")) @symbol.constructor
(method_declaration name: (name) @name) @symbol.method
(const_declaration (const_element . (name) @name)) @symbol.constant
(property_declaration (property_element name: (variable_name (name) @name))) @symbol.field
(property_promotion_parameter name: (variable_name (name) @name)) @symbol.property
(assignment_expression left: (variable_name (name) @name) right: [
  (anonymous_function body: (_) @body)
  (arrow_function body: (_) @body)
]) @symbol.function
(program (expression_statement (assignment_expression left: (variable_name (name) @name)) @symbol.variable))
(function_call_expression function: (name) @_define
  arguments: (arguments . (argument (string (string_content) @name)))
  (#eq? @_define "define")) @symbol.constant
(function_call_expression function: (name) @_define
  arguments: (arguments . (argument (encapsed_string (string_content) @name)))
  (#eq? @_define "define")) @symbol.constant

(function_call_expression function: [(name) @call (qualified_name (name) @call) (relative_name (name) @call)])
(member_call_expression name: (name) @call)
(nullsafe_member_call_expression name: (name) @call)
(scoped_call_expression name: (name) @call)
(object_creation_expression [(name) @call (qualified_name (name) @call) (relative_name (name) @call)])

(scoped_call_expression
  scope: (name) @_route
  name: (name) @route.verb
  arguments: (arguments . (argument [(string) (encapsed_string)] @route.path) . (argument))
  (#eq? @_route "Route")) @symbol.route
(member_call_expression
  object: (_) @_on
  name: (name) @route.verb
  arguments: (arguments . (argument [(string) (encapsed_string)] @route.path) . (argument))
  (#match? @_on "^(Route::.*|\\$(this->)?(app|router|route|routes|group|r|collector|proxy))$")) @symbol.route
