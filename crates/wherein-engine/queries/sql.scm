; SQL: tables with their columns, views, indexes, functions, procedures and triggers, types, sequences, schemas.
(comment) @comment
(marginalia) @comment
(literal) @string

(create_table
  (object_reference schema: (identifier)? @parent name: (identifier) @name.quoted)
  [(column_definitions) (create_query)]? @body) @symbol.table
(column_definitions (column_definition name: (_) @name.quoted) @symbol.field)
(alter_table
  (object_reference name: (identifier) @parent)
  (add_column (column_definition name: (_) @name.quoted) @symbol.field))
(create_view
  (object_reference schema: (identifier)? @parent name: (identifier) @name.quoted)
  (create_query)? @body) @symbol.view
(create_materialized_view
  (object_reference schema: (identifier)? @parent name: (identifier) @name.quoted)
  (create_query)? @body) @symbol.view
(create_index column: (_) @name.quoted . (keyword_on)) @symbol.index
(create_type
  (object_reference schema: (identifier)? @parent name: (identifier) @name.quoted)
  [(enum_elements) (column_definitions)]? @body) @symbol.type
(create_type (enum_elements (literal) @name.quoted @symbol.variant))
(create_function
  (keyword_function) . (object_reference name: (identifier) @name.quoted)
  (function_body)? @body) @symbol.function
(create_trigger (keyword_trigger) . (object_reference name: (identifier) @name.quoted)) @symbol.function
(create_sequence (object_reference schema: (identifier)? @parent name: (identifier) @name.quoted)) @symbol.variable
(create_schema (keyword_schema) . (identifier) @name.quoted) @symbol.module
(create_database (keyword_database) . (identifier) @name.quoted) @symbol.module

(ERROR
  (keyword_create) @symbol.function . (keyword_or)? . (keyword_replace)? .
  (keyword_function) . (object_reference name: (identifier) @name.quoted))
(ERROR
  (keyword_create) @symbol.function . (keyword_or)? . (keyword_replace)? .
  (keyword_trigger) . (object_reference name: (identifier) @name.quoted))

(invocation (object_reference name: (identifier) @call))
(create_trigger (keyword_execute) . (_) . (object_reference name: (identifier) @call))
