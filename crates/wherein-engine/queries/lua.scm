; Lua: functions under all their names, the variables of a file and the fields of its tables.
(comment) @comment
(string_content) @string
(variable_declaration) @wrapper

(function_declaration name: [
  (identifier) @name
  (dot_index_expression table: (_) @parent field: (_) @name)
  (method_index_expression table: (_) @parent method: (_) @name)
]) @symbol.function
(assignment_statement
  (variable_list . name: [
    (identifier) @name
    (dot_index_expression table: (_) @parent field: (_) @name)
    (bracket_index_expression table: (_) @parent field: (string content: (_) @name))
  ])
  (expression_list . value: (function_definition body: (_) @body))) @symbol.function
(assignment_statement
  (variable_list . name: [
    (identifier) @name
    (dot_index_expression table: (_) @parent field: (_) @name)
    (bracket_index_expression table: (_) @parent field: (string content: (_) @name))
  ])
  (expression_list . value: (function_definition))) @symbol.function
; `M.name = cached(function(…) … end)`
(assignment_statement
  (variable_list . name: (dot_index_expression table: (_) @parent field: (_) @name))
  (expression_list . value: (function_call arguments: (arguments . (function_definition body: (_) @body))))) @symbol.function
(assignment_statement
  (variable_list . name: (dot_index_expression table: (_) @parent field: (_) @name))
  (expression_list . value: (function_call arguments: (arguments . (function_definition))))) @symbol.function
(field name: (identifier) @name value: (function_definition body: (_) @body)) @symbol.function
(field name: (identifier) @name value: (function_definition)) @symbol.function
(field name: (string content: (_) @name) value: (function_definition body: (_) @body)) @symbol.function
(field name: (string content: (_) @name) value: (function_definition)) @symbol.function

(chunk (variable_declaration (assignment_statement (variable_list name: (identifier) @name)) @symbol.constant)
  (#match? @name "^[A-Z][A-Z0-9_]+$"))
(chunk (assignment_statement (variable_list name: (identifier) @name)) @symbol.constant
  (#match? @name "^[A-Z][A-Z0-9_]+$"))
(chunk (variable_declaration (assignment_statement (variable_list name: (identifier) @name)) @symbol.variable))
(chunk (variable_declaration (variable_list name: (identifier) @name)) @symbol.variable)
(chunk (assignment_statement (variable_list name: (identifier) @name)) @symbol.variable)
(chunk (assignment_statement
  (variable_list name: (dot_index_expression table: (_) @parent field: (_) @name))) @symbol.field)

(function_call name: [
  (identifier) @call
  (dot_index_expression field: (_) @call)
  (method_index_expression method: (_) @call)
])
