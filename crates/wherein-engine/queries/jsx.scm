; JSX, added to the queries of JavaScript and of TSX: elements call the components that they name.
(jsx_text) @string
(jsx_opening_element name: (identifier) @call (#match? @call "^[A-Z]"))
(jsx_opening_element name: (member_expression property: (_) @call))
(jsx_self_closing_element name: (identifier) @call (#match? @call "^[A-Z]"))
(jsx_self_closing_element name: (member_expression property: (_) @call))
