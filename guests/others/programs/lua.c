/* Runs the script of the input; print writes to the output. */
#include "program.h"

#include "lauxlib.h"
#include "lua.h"
#include "lualib.h"

static int print(lua_State *l) {
    for (int i = 1, n = lua_gettop(l); i <= n; i++) {
        size_t size;
        const char *text = luaL_tolstring(l, i, &size);
        if (i > 1) program_write("\t", 1);
        program_write(text, size);
        lua_pop(l, 1);
    }
    program_write("\n", 1);
    return 0;
}

int main(void) {
    size_t size;
    const char *script = (const char *)program_input(&size);
    lua_State *l = luaL_newstate();
    luaL_openlibs(l);
    lua_register(l, "print", print);
    int failed = luaL_loadbuffer(l, script, size, "=input") || lua_pcall(l, 0, 0, 0);
    if (failed) program_printf("%s\n", lua_tostring(l, -1));
    lua_close(l);
    return failed;
}
