; HTML: elements that have an id.
(comment) @comment
(text) @string
(raw_text) @string
(attribute_value) @string

(element (start_tag (attribute
  (attribute_name) @_id
  [(attribute_value) @name (quoted_attribute_value (attribute_value) @name)])) . (_)? @body
  (#any-of? @_id "id" "ID" "Id")) @symbol.element
(element (self_closing_tag (attribute
  (attribute_name) @_id
  [(attribute_value) @name (quoted_attribute_value (attribute_value) @name)]))
  (#any-of? @_id "id" "ID" "Id")) @symbol.element
(script_element (start_tag (attribute
  (attribute_name) @_id
  [(attribute_value) @name (quoted_attribute_value (attribute_value) @name)])) . (_)? @body
  (#any-of? @_id "id" "ID" "Id")) @symbol.element
(style_element (start_tag (attribute
  (attribute_name) @_id
  [(attribute_value) @name (quoted_attribute_value (attribute_value) @name)])) . (_)? @body
  (#any-of? @_id "id" "ID" "Id")) @symbol.element
