/* bc_ins.h - what the files share that read the instructions of a body. */
#ifndef LLVM_BC_INS_H
#define LLVM_BC_INS_H

#include "llvm/bc.h"

/* The codes of records. */
enum {
	INS_BINOP = 2,
	INS_CAST,
	INS_EXTRACT_ELEMENT = 6,
	INS_INSERT_ELEMENT,
	INS_SHUFFLE,
	INS_CMP,
	INS_RET,
	INS_BR,
	INS_SWITCH,
	INS_INVOKE,
	INS_UNREACHABLE = 15,
	INS_PHI,
	INS_ALLOCA = 19,
	INS_LOAD,
	INS_VAARG = 23,
	INS_EXTRACT_VALUE = 26,
	INS_INSERT_VALUE,
	INS_CMP2,
	INS_SELECT,
	INS_INDIRECT_BR = 31,
	INS_LOC_AGAIN = 33,
	INS_CALL,
	INS_LOC,
	INS_FENCE,
	INS_RESUME = 39,
	INS_LOAD_ATOMIC = 41,
	INS_GEP = 43,
	INS_STORE,
	INS_STORE_ATOMIC,
	INS_CMPXCHG,
	INS_LANDING_PAD,
	INS_CLEANUP_RET,
	INS_CATCH_RET,
	INS_CATCH_PAD,
	INS_CLEANUP_PAD,
	INS_CATCH_SWITCH,
	INS_BUNDLE = 55,
	INS_UNOP,
	INS_CALLBR,
	INS_FREEZE,
	INS_RMW,
	INS_BLOCK_USERS,
	INS_DEBUG_VALUE,
	INS_DEBUG_DECLARE,
	INS_DEBUG_ASSIGN,
	INS_DEBUG_SIMPLE,
	INS_DEBUG_LABEL
};

/* The next number of the record, whose place is *k. */
u64 ins_num(BcModule *m, u32 *k);
/* Adds v to the operands of the next instruction. */
BcValue *ins_push(BcModule *m, BcValue *v);
/* Adds a value of the record, which has its type there if it is still to come. */
BcValue *ins_operand(BcModule *m, u32 *k);
/* Adds a value of the given type; a node goes for a value that nobody looks at. */
BcValue *ins_operand_of(BcModule *m, u32 *k, BcType *t);
/* An instruction with the operands that were gathered; the last one of its block. */
BcValue *ins_emit(BcModule *m, LLVMOpcode op, BcType *t);
BcValue *ins_emit_end(BcModule *m, LLVMOpcode op);
/* The block of that number; room for n blocks of i. */
BcBlock *ins_block(BcModule *m, u64 number);
BcBlock **ins_blocks(BcModule *m, BcValue *i, u32 n);

/* ---- bc_flow.c */
/* Reads the record if it is about the last instruction. */
bool flow_about_last(BcModule *m);
/* Reads an instruction that ends a block, or calls. */
void flow_ins(BcModule *m);

#endif
