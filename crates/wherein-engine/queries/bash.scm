; Shell: functions, the variables of the file, tests of bats.
(comment) @comment
(string_content) @string
(raw_string) @string
(ansi_c_string) @string
(heredoc_content) @string

(function_definition name: (_) @name body: (_) @body) @symbol.function
(program (declaration_command "readonly" (variable_assignment name: (variable_name) @name)) @symbol.constant)
(program (declaration_command "readonly" (variable_name) @name) @symbol.constant)
(program (declaration_command (word) @_flag (variable_assignment name: (variable_name) @name)) @symbol.constant
  (#match? @_flag "^-[a-zA-Z]*r"))
(program (declaration_command (variable_assignment name: (variable_name) @name)) @symbol.variable)
(program (variable_assignment name: (variable_name) @name) @symbol.variable)
(program (variable_assignments (variable_assignment name: (variable_name) @name) @symbol.variable))
(command
  name: (command_name (word) @_test)
  argument: [(string (string_content) @name) (raw_string) @name.quoted]
  (#eq? @_test "@test")) @symbol.test

(command name: (command_name (word) @call))
