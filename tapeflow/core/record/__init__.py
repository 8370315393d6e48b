"""How an op is declared: the record, families of records, the forms that the compiler knows."""
