//! What annotations and calls of the frameworks state, and what only looks like it.

use super::*;

/// The route of a method `one` with these annotations, in a type with those; in words.
fn route(own: &[&str], class: &str, of_class: &[&str]) -> String {
    let texts = |list: &[&str]| list.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    let (annotations, of_class) = (texts(own), texts(of_class));
    let function = Annotated { name: "one", annotations: &annotations, class, of_class: &of_class };
    of_annotations(function).map_or("-".to_owned(), |route| route.to_string())
}

fn check(cases: &[(&[&str], &[&str], &str)]) {
    for (own, of_class, expected) in cases {
        let found = route(own, "OrdersController", of_class);
        assert_eq!(found, *expected, "{own:?} in a type with {of_class:?}");
    }
}

#[test]
fn spring() {
    let api = &["@RestController(\"bean\")", "@RequestMapping(\"/api\")"][..];
    check(&[
        (&["@GetMapping"], api, "GET /api"),
        (&["@GetMapping()"], &[], "GET /"),
        (&["@GetMapping(\"/{id}\")"], api, "GET /api/{id}"),
        (&["@PostMapping(value = \"/a\", consumes = \"b/c\")"], api, "POST /api/a"),
        (&["@PutMapping(consumes = \"b/c\", path = \"/a\")"], api, "PUT /api/a"),
        (&["@DeleteMapping({\"/a\", \"/b\"})"], api, "DELETE /api/a"),
        (&["@PatchMapping(path = [\"/a\"])"], &["@RequestMapping(path = [\"v1\"])"], "PATCH /v1/a"),
        (&["@RequestMapping(\"/a\")"], api, "ANY /api/a"),
        (&["@RequestMapping(value = \"/a\", method = RequestMethod.POST)"], api, "POST /api/a"),
        (&["@RequestMapping(method = {RequestMethod.HEAD, RequestMethod.GET})"], api, "HEAD /api"),
        (&["@RequestMapping(path = \"/GET\", method = RequestMethod.PUT)"], api, "PUT /api/GET"),
        (&["@GetMapping(\"/a\")"], &["@Controller(\"bean\")"], "GET /a"),
        (&["@GetMapping(Paths.ONE)"], api, "-"),
        (&["@GetMapping(PREFIX + \"/a\")"], api, "-"),
        (&["@GetMapping(\"/a\")"], &["@RequestMapping(Paths.API)"], "-"),
        (&["@Override", "@org.spring.GetMapping(\"/a\")"], api, "GET /api/a"),
    ]);
}

#[test]
fn jax_rs_and_micronaut() {
    let api = &["@Path(\"/api\")"][..];
    check(&[
        (&["@GET"], api, "GET /api"),
        (&["@GET", "@Path(\"{id}\")", "@Produces(\"a/b\")"], api, "GET /api/{id}"),
        (&["@Path(\"{id}\")", "@DELETE"], api, "DELETE /api/{id}"),
        (&["@Path(\"{id}\")"], api, "-"),
        (&["@GET", "@Path(ONE)"], api, "-"),
        (&["@Get(\"/{id}\")"], &["@Controller(\"/orders\")"], "GET /orders/{id}"),
        // A client, a mapper of a database, an accessor.
        (&["@GET(\"users/{id}\")"], &[], "-"),
        (&["@Delete(\"DELETE FROM orders\")"], &[], "-"),
        (&["@Getter"], &[], "-"),
        (&["@Options(useGeneratedKeys = true)"], &[], "-"),
        (&["@Any"], &[], "-"),
    ]);
}

#[test]
fn flask_and_fastapi() {
    check(&[
        (&["@app.route(\"/a\")"], &[], "ANY /a"),
        (&["@bp.route('/a/<int:id>', methods=['POST', 'GET'])"], &[], "POST /a/<int:id>"),
        (&["@shop.bp.route(rule=\"/a\", methods=(\"PUT\",))"], &[], "PUT /a"),
        (&["@app.get(\"/a\", response_model=List[Order])"], &[], "GET /a"),
        (&["@router.post(path=\"/a\")"], &[], "POST /a"),
        (&["@router.get(\"\")"], &[], "GET /"),
        (&["@router.api_route(\"/a\", methods=[\"DELETE\"])"], &[], "DELETE /a"),
        (&["@login_required", "@bp.route(\"/a\")"], &[], "ANY /a"),
        (&["@app.get(f\"/{name}\")"], &[], "-"),
        (&["@app.route(PREFIX + \"/a\")"], &[], "-"),
        (&["@mock.patch(\"shop.orders.load\")"], &[], "-"),
        (&["@patch(\"/a\")"], &[], "-"),
        (&["@cache.get"], &[], "-"),
        (&["@x.delete(key)"], &[], "-"),
    ]);
}

#[test]
fn nest() {
    check(&[
        (&["@Get()"], &["@Controller()"], "GET /"),
        (&["@Get(':id')"], &["@Controller('cats')"], "GET /cats/:id"),
        (
            &["@Post(`import`)", "@HttpCode(201)"],
            &["@Controller({ path: 'a', version: '1' })"],
            "POST /a/import",
        ),
        (&["@All(['a', 'b'])"], &["@Controller(['x', 'y'])"], "ANY /x/a"),
        (&["@Get(ROUTES.one)"], &["@Controller('cats')"], "-"),
        (&["@Input()"], &["@Component({ path: 'a' })"], "-"),
    ]);
}

#[test]
fn asp_net() {
    let api = &["[ApiController]", "[Route(\"api/[controller]\")]"][..];
    check(&[
        (&["[HttpGet]"], api, "GET /api/orders"),
        (&["[HttpGet(\"{id:int}\")]"], api, "GET /api/orders/{id:int}"),
        (&["[Authorize, HttpPost(\"a\", Name = \"b\")]"], api, "POST /api/orders/a"),
        (&["[HttpPut]", "[Route(\"[action]/{id}\")]"], api, "PUT /api/orders/one/{id}"),
        (&["[Route(\"old\")]"], api, "ANY /api/orders/old"),
        (&["[HttpDelete(\"/a\")]"], api, "DELETE /a"),
        (&["[HttpDelete(\"~/a\")]"], api, "DELETE /a"),
        (&["[Route(template: \"a\")]"], &["[ApiController, RoutePrefix(\"v1\")]"], "ANY /v1/a"),
        (&["[HttpGet(Routes.One)]"], api, "-"),
        (&["[Obsolete(\"/a\")]"], api, "-"),
    ]);
}

#[test]
fn attributes_of_rust_and_php() {
    check(&[
        (&["#[get(\"/a/{id}\")]"], &[], "GET /a/{id}"),
        (&["#[actix_web::post(\"/a\")]"], &[], "POST /a"),
        (&["#[route(\"/a\", method = \"PUT\")]"], &[], "PUT /a"),
        (&["#[get]"], &[], "-"),
        (
            &["#[Route('/a', name: 'b', methods: ['GET', 'HEAD'])]"],
            &["#[Route('/shop')]"],
            "GET /shop/a",
        ),
        (&["#[Route(path: '/a')]"], &[], "ANY /a"),
        (&["#[inline]", "#[doc = \"/a\"]"], &[], "-"),
    ]);
}

#[test]
fn called_names() {
    let known = [("get", "GET"), ("Post", "POST"), ("DELETE", "DELETE"), ("MapPut", "PUT")];
    for (name, expected) in known.into_iter().chain([("any", "ANY"), ("HandleFunc", "ANY")]) {
        assert_eq!(verb(name), Some(expected), "{name}");
    }
    for name in ["mapget", "Mapget", "gEt", "httpGet", "getAll", "fetch", "target", "map", ""] {
        assert_eq!(verb(name), None, "{name}");
    }
}

#[test]
fn literal_paths() {
    for text in ["\"/\"", "'/a/:id'", "`/a`", "\"/a/{id:[0-9]+}\"", "\"/temporary\""] {
        assert!(path(text).is_some(), "{text}");
    }
    for text in ["\"a\"", "\"/tmp/x\"", "'/etc/hosts'", "\"//host\"", "\"/a b\"", "`/${x}`", "\"\""]
    {
        assert_eq!(path(text), None, "{text}");
    }
    assert_eq!(path("'orders/{id}'").as_deref(), Some("/orders/{id}"));
    assert_eq!(path("'https://a/{id}'"), None);
    assert_eq!(join("/api/", "/"), "/api");
}
