; Python: functions, classes, and the assignments of modules and classes.
(comment) @comment
(string_content) @string
(decorator) @annotation
(decorated_definition) @wrapper

(function_definition name: (identifier) @name body: (_) @body) @symbol.function
(function_definition body: (block . (expression_statement (string) @doc)))
(class_definition name: (identifier) @name body: (_) @body) @symbol.class
(class_definition body: (block . (expression_statement (string) @doc)))
(type_alias_statement left: (type (identifier) @name)) @symbol.type
(type_alias_statement left: (type (generic_type . (identifier) @name))) @symbol.type

(assignment left: (identifier) @name right: (lambda body: (_) @body)) @symbol.function
(module (expression_statement [
  (assignment left: (identifier) @name)
  (assignment left: (pattern_list (identifier) @name))
] @symbol.constant)
  (#match? @name "^_*[A-Z][A-Z0-9_]*$"))
(module (expression_statement (assignment left: (identifier) @name) @symbol.variable))
(module (expression_statement (assignment left: (pattern_list (identifier) @name)) @symbol.variable))
(module (expression_statement (assignment right: (assignment left: (identifier) @name) @symbol.variable)))
(module [
  (if_statement consequence: (block (expression_statement (assignment left: (identifier) @name) @symbol.variable)))
  (if_statement (else_clause body: (block (expression_statement (assignment left: (identifier) @name) @symbol.variable))))
  (try_statement body: (block (expression_statement (assignment left: (identifier) @name) @symbol.variable)))
  (try_statement (except_clause (block (expression_statement (assignment left: (identifier) @name) @symbol.variable))))
])
(class_definition body: (block (expression_statement (assignment left: (identifier) @name) @symbol.field)))
(class_definition body: (block (expression_statement (assignment left: (pattern_list (identifier) @name)) @symbol.field)))

(call function: (identifier) @call)
(call function: (attribute attribute: (identifier) @call))
(call function: (subscript value: (identifier) @call))
(call function: (subscript value: (attribute attribute: (identifier) @call)))

(call function: (identifier) @route.verb
  arguments: (argument_list . (string) @route.path . (_))
  (#eq? @route.verb "Route")) @symbol.route
