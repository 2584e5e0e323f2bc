; Ruby: classes, modules, methods, constants; accessors, associations and tests, which calls declare; Rails and Sinatra routes.
(comment) @comment
(string_content) @string
(heredoc_content) @string
(character) @string

(class name: [(constant) @name (scope_resolution scope: (_) @parent name: (_) @name) (scope_resolution !scope name: (_) @name)]) @symbol.class
(module name: [(constant) @name (scope_resolution scope: (_) @parent name: (_) @name) (scope_resolution !scope name: (_) @name)]) @symbol.module
(assignment left: (constant) @name right: (call receiver: (constant) @_class method: (identifier) @_new block: (_) @body)
  (#match? @_class "^(Struct|Class|Data|Module)$") (#match? @_new "^(new|define)$")) @symbol.class
(assignment left: (constant) @name right: (call receiver: (constant) @_class method: (identifier) @_new)
  (#match? @_class "^(Struct|Class|Data|Module)$") (#match? @_new "^(new|define)$")) @symbol.class
(assignment left: (constant) @name) @symbol.constant
(assignment left: (scope_resolution scope: (_) @parent name: (constant) @name)) @symbol.constant
(assignment left: (class_variable) @name) @symbol.field
(assignment left: (global_variable) @name) @symbol.variable
(program (assignment left: (identifier) @name) @symbol.variable)

(method name: (identifier) @name (#eq? @name "initialize")) @symbol.constructor
(program (method name: (_) @name) @symbol.function)
(method) @symbol.method
(program (singleton_method object: (constant) @parent name: (_) @name) @symbol.method)
(singleton_method) @symbol.method
(alias) @symbol.method
(call !receiver method: (identifier) @_macro arguments: (argument_list . (simple_symbol) @name)
  (#match? @_macro "^(define_method|alias_method|scope)$")) @symbol.method
(call !receiver method: (identifier) @_macro arguments: (argument_list (simple_symbol) @name)
  (#match? @_macro "^(([cm]|class_|thread_)?(attr|mattr|cattr|class_attribute|attribute)(_accessor|_reader|_writer|_internal)?|has_many|has_one|has_and_belongs_to_many|belongs_to)$")) @symbol.property

; Tests are named by strings or by what they test.
(call method: (identifier) @_macro
  arguments: (argument_list . [(string) @name (constant) @name (scope_resolution) @name])
  block: (_) @body
  (#match? @_macro "^(test|it|specify|describe|context|feature|scenario|should)$")) @symbol.test

; `get "/x", to: "orders#show"`, `get "/x" => "orders#show"`, `get "/x" do`
(call !receiver method: (identifier) @route.verb
  arguments: (argument_list . (string) @route.path (pair key: (hash_key_symbol) @_key))
  (#match? @_key "^(to|via|controller|action|as)$")) @symbol.route
(call !receiver method: (identifier) @route.verb
  arguments: (argument_list . (pair key: (string) @route.path))) @symbol.route
(call !receiver method: (identifier) @route.verb
  arguments: (argument_list . (string) @route.path) block: (_) @body) @symbol.route

(call method: [(identifier) (constant)] @call)
(call receiver: [(constant) @call (scope_resolution name: (constant) @call)] method: (identifier) @_new (#eq? @_new "new"))
