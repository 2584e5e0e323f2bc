; Markdown: headings as sections, which reach to the next one of their level.
(inline) @string
(pipe_table_cell) @string
(html_block) @string
(block_quote) @string

(atx_heading (atx_h1_marker) @level.1 heading_content: (_) @name) @symbol.section
(atx_heading (atx_h2_marker) @level.2 heading_content: (_) @name) @symbol.section
(atx_heading (atx_h3_marker) @level.3 heading_content: (_) @name) @symbol.section
(atx_heading (atx_h4_marker) @level.4 heading_content: (_) @name) @symbol.section
(atx_heading (atx_h5_marker) @level.5 heading_content: (_) @name) @symbol.section
(atx_heading (atx_h6_marker) @level.6 heading_content: (_) @name) @symbol.section
(setext_heading heading_content: (_) @name (setext_h1_underline) @level.1 @body) @symbol.section
(setext_heading heading_content: (_) @name (setext_h2_underline) @level.2 @body) @symbol.section
