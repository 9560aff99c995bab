/** Where the console is, below a namespace. */
export const consolePath = "/_emulator/console";
