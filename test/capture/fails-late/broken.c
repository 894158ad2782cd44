int broken(
