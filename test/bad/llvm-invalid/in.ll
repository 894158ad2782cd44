define i32 @main() {
  %a = add i32 %b, 1
  %b = add i32 1, 1
  ret i32 %a
}
