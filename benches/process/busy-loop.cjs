// Takes all of a processor that it gets, until it is killed.

for (;;);
