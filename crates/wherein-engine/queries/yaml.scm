; YAML: the keys of each document and those right below them.
(comment) @comment
(double_quote_scalar) @string
(single_quote_scalar) @string

(document (block_node (block_mapping
  (block_mapping_pair key: (_) @name.quoted ":" @body value: (block_node)) @symbol.key)))
(document (block_node (block_mapping (block_mapping_pair key: (_) @name.quoted) @symbol.key)))
(document (block_node (block_mapping (block_mapping_pair value: (block_node (block_mapping
  (block_mapping_pair key: (_) @name.quoted ":" @body value: (block_node)) @symbol.key))))))
(document (block_node (block_mapping (block_mapping_pair value: (block_node (block_mapping
  (block_mapping_pair key: (_) @name.quoted) @symbol.key))))))
(document (block_node (block_mapping (block_mapping_pair value: (flow_node (flow_mapping
  (flow_pair key: (_) @name.quoted) @symbol.key))))))
(document (flow_node (flow_mapping (flow_pair key: (_) @name.quoted) @symbol.key)))
(document (flow_node (flow_mapping (flow_pair value: (flow_node (flow_mapping
  (flow_pair key: (_) @name.quoted) @symbol.key))))))
