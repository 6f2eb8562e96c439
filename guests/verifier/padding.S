# Instructions that never run. The table of the program has a row for each instruction and two for each branch, some
# 20,000 without these, so 2^15 rows. With them it has 2^16, like the tables of ranges that every proof has. Each
# additional height of a table is an FRI layer, and adds 15 to 25 kB to a small proof.
    .section .text,"axR"
    .rept 17000
    nop
    .endr

# Similarly, the table of the words of the file has some 80,000 rows without these, so 2^17. With them it has 2^18, near
# the heights of the instructions' tables.
    .section .rodata,"aR"
    .zero 450000
