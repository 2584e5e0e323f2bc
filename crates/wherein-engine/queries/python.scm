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

(module (expression_statement (assignment left: (identifier) @name)) @symbol.constant
  (#match? @name "^[A-Z][A-Z0-9_]*$"))
(module (expression_statement (assignment left: (identifier) @name)) @symbol.variable)
(class_definition body: (block (expression_statement (assignment left: (identifier) @name)) @symbol.field))

(call function: (identifier) @call)
(call function: (attribute attribute: (identifier) @call))
