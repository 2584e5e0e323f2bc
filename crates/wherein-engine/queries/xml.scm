; XML: elements by id, name or what they include; those of the first two levels by their tag.
(Comment) @comment
(CharData) @string
(CData) @string
(AttValue) @string

(element [
  (STag (Attribute (Name) @_key (AttValue) @name.quoted))
  (EmptyElemTag (Attribute (Name) @_key (AttValue) @name.quoted))
] (content)? @body
  (#any-of? @_key "id" "ID" "Id" "xml:id" "android:id")) @symbol.element
(element [
  (STag (Attribute (Name) @_key (AttValue) @name.quoted))
  (EmptyElemTag (Attribute (Name) @_key (AttValue) @name.quoted))
] (content)? @body
  (#any-of? @_key "name" "Name" "x:Name" "android:name")) @symbol.element
(element [
  (STag (Attribute (Name) @_key (AttValue) @name.quoted))
  (EmptyElemTag (Attribute (Name) @_key (AttValue) @name.quoted))
] (content)? @body
  (#any-of? @_key "Include" "Update" "x:Key")) @symbol.element
(document root: (element [(STag (Name) @name) (EmptyElemTag (Name) @name)] (content)? @body) @symbol.element)
(document root: (element (content
  (element [(STag (Name) @name) (EmptyElemTag (Name) @name)] (content)? @body) @symbol.element)))
