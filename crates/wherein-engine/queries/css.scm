; CSS: rules by selector, at-rules by what stands before their block, keyframes, custom properties.
(comment) @comment
(js_comment) @comment
(string_content) @string

(rule_set (selectors) @name (block) @body) @symbol.rule
(media_statement (block) @body) @symbol.rule @name
(supports_statement (block) @body) @symbol.rule @name
(scope_statement (block) @body) @symbol.rule @name
(keyframes_statement (keyframes_name) @name (keyframe_block_list) @body) @symbol.rule
(at_rule
  (at_keyword) @_keyword
  (keyword_query) @name
  (block) @body
  (#eq? @_keyword "@property")) @symbol.variable
(at_rule
  (at_keyword) @_keyword
  (block) @body
  (#not-eq? @_keyword "@property")) @symbol.rule @name
(declaration (property_name) @name (#match? @name "^--")) @symbol.variable

(call_expression (function_name) @call)
