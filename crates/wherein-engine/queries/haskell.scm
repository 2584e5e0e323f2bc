; Haskell: functions with all their equations, types, constructors, classes; instances lend their type's name.
(comment) @comment
(haddock) @comment
(string) @string
(char) @string

(header module: (module) @module)

(foreign_import) @wrapper
(data_type
  name: (_) @name
  constructors: (data_constructors . (data_constructor) .) @body) @symbol.struct
(data_type name: (_) @name constructors: (_) @body) @symbol.enum
(data_type name: (_) @name) @symbol.type
(newtype name: (_) @name constructor: (_) @body) @symbol.struct
(newtype name: (_) @name) @symbol.struct
(type_synonym name: (_) @name) @symbol.type
(type_family name: (_) @name closed_family: (_) @body) @symbol.type
(type_family name: (_) @name) @symbol.type
(data_family name: (_) @name) @symbol.type
(class name: (_) @name declarations: (_) @body) @symbol.trait
(class name: (_) @name) @symbol.trait
(instance patterns: (type_patterns (name) @name .)) @scope
(instance patterns: (type_patterns (parens type: (apply constructor: (name) @name)) .)) @scope
(instance patterns: (type_patterns (parens type: (apply constructor: (apply constructor: (name) @name))) .)) @scope
(instance patterns: (type_patterns (_) @name .)) @scope

(data_constructor constructor: [
  (prefix name: (_) @name)
  (record name: (_) @name fields: (_) @body)
  (infix operator: (_) @name)
]) @symbol.variant
(newtype_constructor name: (_) @name field: (record)? @body) @symbol.variant
(gadt_constructor name: (_) @name) @symbol.variant
(gadt_constructor names: (_ (_) @name)) @symbol.variant
(field name: (field_name (_) @name)) @symbol.field

(declarations (signature name: (variable) @name type: [
  (name) @_type
  (list) @_type
]) @symbol.constant
  (#match? @_type "^(\\[.*\\]|Bool|Char|Double|Float|Int|Integer|Rational|String|Text|ByteString|FilePath|Word)$"))
(declarations (signature name: (variable) @name) @symbol.function)
(declarations (signature names: (binding_list name: (variable) @name)) @symbol.function)
(declarations (signature name: (prefix_id (_) @name)) @symbol.function)
(class_declarations (signature name: (variable) @name) @symbol.method)
(class_declarations (signature names: (binding_list name: (variable) @name)) @symbol.method)
(class_declarations (signature name: (prefix_id (_) @name)) @symbol.method)
(signature name: (variable) @name type: (function)) @symbol.function
(signature name: (variable) @name type: (context type: (function))) @symbol.function
(signature name: (variable) @name type: (forall)) @symbol.function
(pattern_synonym (signature synonym: (_) @name)) @symbol.constructor
(pattern_synonym (equation synonym: (_) @name)) @symbol.constructor @joined

(function name: (variable) @name match: (_) @body) @symbol.function @joined
(function name: (prefix_id (_) @name) match: (_) @body) @symbol.function @joined
(function (infix operator: (operator) @name) match: (_) @body) @symbol.function @joined
(function (infix operator: (infix_id (_) @name)) match: (_) @body) @symbol.function @joined
(declarations (bind name: (variable) @name match: (_) @body) @symbol.function @joined)
(declarations (bind name: (prefix_id (_) @name) match: (_) @body) @symbol.function @joined)
(class_declarations (bind name: (variable) @name match: (_) @body) @symbol.method @joined)
(class_declarations (bind name: (prefix_id (_) @name) match: (_) @body) @symbol.method @joined)
(instance_declarations (bind name: (variable) @name match: (_) @body) @symbol.method @joined)
(instance_declarations (bind name: (prefix_id (_) @name) match: (_) @body) @symbol.method @joined)

(apply function: (variable) @call)
(apply function: (constructor) @call)
(apply function: (qualified id: (_) @call))
(infix operator: (infix_id (variable) @call))
(infix left_operand: (variable) @call operator: (operator) @_op (#match? @_op "^(\\$!?|<\\$!?>)$"))
(infix left_operand: (qualified id: (variable) @call) operator: (operator) @_op (#match? @_op "^(\\$!?|<\\$!?>)$"))
(exp (variable) @call)
