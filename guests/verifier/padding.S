# Instructions that never run. The table of the program has a row for each instruction and two for each branch, some
# 20,000 without these: it would have 2^15 rows. With them it has 2^16, as the tables of ranges that every proof has. Each
# further height of a table is a layer of FRI, and 15 to 25 kB of a small proof.
    .section .text,"axR"
    .rept 17000
    nop
    .endr

# The same for the table of the words of the file: some 80,000 without these, so 2^17 rows. With them it has 2^18, near the
# heights of the instructions' tables.
    .section .rodata,"aR"
    .zero 450000
