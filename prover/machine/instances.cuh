
// place_row finds the cell of a row in the first column of its instance. It returns false if there is no such row.
// Rows are numbered across all instances of the table, and a launch has one thread for each.
DEVICE bool place_row(const Instances &instances, u64 row, u64 *&cells, u64 &stride) {
    if (row >= instances.first[instances.count]) return false;
    u32 i = 0;
    while (row >= instances.first[i + 1]) i++;
    cells = reinterpret_cast<u64 *>(instances.columns[i]) + (row - instances.first[i]);
    stride = instances.stride[i];
    return true;
}
