; JSON: the keys of the document and those right below them.
(comment) @comment
(string_content) @string

(document (object (pair key: (string (string_content) @name) value: [(object) (array)]? @body) @symbol.key))
(document (object (pair value: (object
  (pair key: (string (string_content) @name) value: [(object) (array)]? @body) @symbol.key))))
