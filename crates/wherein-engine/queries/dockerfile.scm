; Dockerfile: stages, which reach to the next one, with their arguments and variables.
(comment) @comment
(double_quoted_string) @string
(single_quoted_string) @string
(json_string) @string
(arg_instruction) @wrapper

(from_instruction as: (image_alias) @name) @symbol.stage @level.1
(from_instruction !as (image_spec) @name) @symbol.stage @level.1
(arg_instruction (arg_pair name: (_) @name) @symbol.variable)
(env_instruction (env_pair name: (_) @name) @symbol.variable)
