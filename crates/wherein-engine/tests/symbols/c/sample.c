/* Orders of a shop. */
#include <stdio.h>
#include "shop.h"

#ifndef SHOP_H
#define SHOP_H
#endif
#define LIMIT 10
/* The larger one. */
#define MAX(a, b) \
    ((a) > (b) ? (a) : (b))

typedef unsigned long order_id;
typedef int (*compare_fn)(const void *, const void *);
typedef struct order *order_ref;

/* What is bought. */
typedef struct order {
    order_id id;
    char *name, code[8];
    int (*price)(struct order *);
    struct {
        int width;
    } box;
    union { int whole; float part; };
} order_t;

typedef struct {
    double x, y;
} point;

struct __attribute__((packed)) item {
    int n : 4;
};

union value {
    int number;
};

enum colour { RED, GREEN = 2 };
typedef enum { SMALL } size_kind;

static const int first_size = 4;
static const char *labels[] = {"red\n", "green"};
static int total, counts[LIMIT];
static compare_fn order_by = NULL;
extern void (*on_close)(int);
struct { int port; } settings;
int prototype(int x);

// Adds an order. 이름은 수주.
static int add_order(struct order *o, int n) {
    int local = MAX(n, 1);
    printf("order %c", 'x');
    return o->price(o) + (*order_by)(o, o) + local;
}

char *name_of(const order_t *o) { return o->name; }
int **grid(void) { return 0; }
void (plain)(void) {}

__attribute__((noreturn)) void die(const char *why)
{
    struct inner { int depth; };
    exit(count(why));
}

#ifdef _WIN32
int open_file(wchar_t *path) {
#else
int open_file(char *path) {
#endif
    return fopen_s(path);
}

int 수주(void) { return add_order(0, 1); }

int old_style(a, b)
    int a, b;
{
    return a;
}
