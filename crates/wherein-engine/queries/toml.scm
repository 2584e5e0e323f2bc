; TOML: tables, arrays of tables and their keys.
(comment) @comment
(string) @string

(table . [(bare_key) (quoted_key) (dotted_key)] @name.quoted (pair)? @body) @symbol.key
(table_array_element . [(bare_key) (quoted_key) (dotted_key)] @name.quoted (pair)? @body) @symbol.key
(document (pair . (_) @name.quoted) @symbol.key)
(table (pair . (_) @name.quoted) @symbol.key)
(table_array_element (pair . (_) @name.quoted) @symbol.key)
