; R: functions by assignment, S4, reference and R6 classes with their members, values of the file, tests.
(comment) @comment
(string_content) @string

(binary_operator
  lhs: [(identifier) (string)] @name.quoted
  operator: ["<-" "=" "<<-" ":="]
  rhs: (function_definition body: (_) @body)) @symbol.function
(binary_operator
  lhs: (extract_operator lhs: (_) @parent rhs: [(identifier) (string)] @name.quoted)
  operator: ["<-" "=" "<<-"]
  rhs: (function_definition body: (_) @body)) @symbol.method
(binary_operator
  lhs: (identifier) @name.quoted
  operator: ["<-" "=" "<<-"]
  rhs: (call function: [(identifier) @_new (namespace_operator rhs: (identifier) @_new)] arguments: (_) @body)
  (#any-of? @_new "R6Class" "setRefClass" "setClass" "new_class")) @symbol.class
(program (call
  function: (identifier) @_new
  arguments: (arguments . (argument value: (string (string_content) @name)))) @symbol.class
  (#any-of? @_new "setClass" "setRefClass" "setClassUnion"))
(program (call
  function: (identifier) @_new
  arguments: (arguments . (argument value: (string (string_content) @name)))) @symbol.function
  (#eq? @_new "setGeneric"))
(call
  function: (identifier) @_new
  arguments: (arguments
    . (argument value: (string (string_content) @name))
    . (comma) . (argument value: [
      (string (string_content) @parent)
      (call arguments: (arguments . (argument value: (string (string_content) @parent))))
    ])
    (argument value: (function_definition body: (_) @body)))
  (#any-of? @_new "setMethod" "setReplaceMethod")) @symbol.method
(call
  function: (identifier) @_new
  arguments: (arguments . (argument value: (string (string_content) @name))
    (argument value: (function_definition body: (_) @body)))
  (#any-of? @_new "setMethod" "setReplaceMethod")) @symbol.method
(call
  function: [(identifier) @_new (namespace_operator rhs: (identifier) @_new)]
  arguments: (arguments (argument value: (call arguments: (arguments
    (argument name: (_) @name.quoted value: (function_definition body: (_) @body)) @symbol.method))))
  (#any-of? @_new "R6Class" "setRefClass" "new_class"))
(call
  function: [(identifier) @_new (namespace_operator rhs: (identifier) @_new)]
  arguments: (arguments (argument value: (call arguments: (arguments
    (argument name: (_) @name.quoted) @symbol.field))))
  (#any-of? @_new "R6Class" "setRefClass" "setClass" "new_class"))
(call
  function: (identifier) @_new
  arguments: (arguments . (argument value: (string (string_content) @name)))
  (#any-of? @_new "test_that" "describe" "it")) @symbol.test
(program (binary_operator lhs: (identifier) @name.quoted operator: ["<-" "=" "<<-"]) @symbol.constant
  (#match? @name.quoted "^[A-Z][A-Z0-9_.]*$"))
(program (binary_operator lhs: [(identifier) (string)] @name.quoted operator: ["<-" "=" "<<-"]) @symbol.variable)
(program (binary_operator operator: ["->" "->>"] rhs: (identifier) @name.quoted) @symbol.variable)

(call function: (identifier) @call)
(call function: (namespace_operator rhs: (identifier) @call))
(call function: (extract_operator rhs: (identifier) @call))
